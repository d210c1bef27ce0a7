#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/arguments.hpp"

namespace deltaproof::cli {

/// The options of `explain`. It must stay where it was made while the command line is parsed.
class ExplainOptions {
 public:
  explicit ExplainOptions(CLI::App& app);
  bool parsed() const { return command_->parsed(); }
  /// What was given. Throws UsageError.
  ExplainArguments finish();

 private:
  CLI::App* command_;
  ExplainArguments arguments_;
};

}  // namespace deltaproof::cli
