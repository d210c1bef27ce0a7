#pragma once

#include "cli/arguments.hpp"
#include "cli/command_options.hpp"

namespace deltaproof::cli {

class ExplainOptions : public CommandOptions<ExplainArguments> {
 public:
  explicit ExplainOptions(CLI::App& app);
  /// Throws UsageError.
  ExplainArguments finish();
};

}  // namespace deltaproof::cli
