#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "cli/command_options.hpp"

namespace deltaproof::cli {

class HuntOptions : public CommandOptions<HuntArguments> {
 public:
  explicit HuntOptions(CLI::App& app);
  /// Throws UsageError.
  HuntArguments finish();

 private:
  std::string time_ = "60", evaluations_, seed_ = "0", timeout_ = "30";
};

}  // namespace deltaproof::cli
