#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "cli/command_options.hpp"

namespace deltaproof::cli {

class ShrinkOptions : public CommandOptions<ShrinkArguments> {
 public:
  explicit ShrinkOptions(CLI::App& app);
  /// Throws UsageError.
  ShrinkArguments finish();

 private:
  std::string time_ = "60", timeout_ = "30";
};

}  // namespace deltaproof::cli
