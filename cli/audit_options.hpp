#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "cli/command_options.hpp"

namespace deltaproof::cli {

/// `deltaproof audit`, as CLI11 sees it.
class AuditOptions : public CommandOptions<AuditArguments> {
 public:
  explicit AuditOptions(CLI::App& app);

  /// What was given, validated. Throws UsageError.
  AuditArguments finish();

 private:
  std::string seed_ = "0";
};

}  // namespace deltaproof::cli
