#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/arguments.hpp"

namespace deltaproof::cli {

/// The options of `golden`. It must stay where it was made while the command line is parsed.
class GoldenOptions {
 public:
  explicit GoldenOptions(CLI::App& app);
  bool parsed() const { return command_->parsed(); }
  /// What was given. Throws UsageError.
  GoldenArguments finish();

 private:
  CLI::App* command_;
  GoldenArguments arguments_;
};

}  // namespace deltaproof::cli
