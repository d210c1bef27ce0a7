#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/arguments.hpp"

namespace deltaproof::cli {

/// The options of `hunt`. It must stay where it was made while the command line is parsed.
class HuntOptions {
 public:
  explicit HuntOptions(CLI::App& app);
  bool parsed() const { return command_->parsed(); }
  /// What was given. Throws UsageError.
  HuntArguments finish();

 private:
  CLI::App* command_;
  HuntArguments arguments_;
  std::string time_ = "60", evaluations_, seed_ = "0", timeout_ = "30";
};

}  // namespace deltaproof::cli
