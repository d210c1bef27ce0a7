#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/arguments.hpp"

namespace deltaproof::cli {

/// The options of `shrink`. It must stay where it was made while the command line is parsed.
class ShrinkOptions {
 public:
  explicit ShrinkOptions(CLI::App& app);
  bool parsed() const { return command_->parsed(); }
  /// What was given. Throws UsageError.
  ShrinkArguments finish();

 private:
  CLI::App* command_;
  ShrinkArguments arguments_;
  std::string time_ = "60", timeout_ = "30";
};

}  // namespace deltaproof::cli
