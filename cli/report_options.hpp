#pragma once

#include "cli/arguments.hpp"
#include "cli/command_options.hpp"

namespace deltaproof::cli {

/// `deltaproof report`, as CLI11 sees it.
class ReportOptions : public CommandOptions<ReportArguments> {
 public:
  explicit ReportOptions(CLI::App& app);

  /// What was given, validated. Throws UsageError.
  ReportArguments finish();
};

}  // namespace deltaproof::cli
