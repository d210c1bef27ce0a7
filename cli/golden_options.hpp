#pragma once

#include "cli/arguments.hpp"
#include "cli/command_options.hpp"

namespace deltaproof::cli {

class GoldenOptions : public CommandOptions<GoldenArguments> {
 public:
  explicit GoldenOptions(CLI::App& app);
  /// Throws UsageError.
  GoldenArguments finish();
};

}  // namespace deltaproof::cli
