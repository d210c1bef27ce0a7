#pragma once

#include "cli/arguments.hpp"
#include "cli/command_options.hpp"

namespace deltaproof::cli {

/// `deltaproof compare`, as CLI11 sees it.
class CompareOptions : public CommandOptions<CompareArguments> {
 public:
  explicit CompareOptions(CLI::App& app);

  /// What was given, validated. Throws UsageError.
  CompareArguments finish();
};

}  // namespace deltaproof::cli
