#include "cli/compare_options.hpp"

#include <CLI/CLI.hpp>

namespace deltaproof::cli {

CompareOptions::CompareOptions(CLI::App& app)
    : CommandOptions(app, "compare", "Compare two reports: what regressed, what is fixed, whose bits changed") {
  command_->add_option("OLD", arguments_.before, "report.json of before, or its folder");
  command_->add_option("NEW", arguments_.after, "report.json of now, or its folder");
  command_->add_flag("--strict", arguments_.strict,
                     "As bad as a regression: what is gone or not run, new doubts, failures further out");
  command_->add_flag("--json", arguments_.json, "Write the comparison as JSON");
}

CompareArguments CompareOptions::finish() {
  if (arguments_.before.empty() || arguments_.after.empty()) {
    throw UsageError("compare: two reports are needed, as in `deltaproof compare old/report.json new/report.json`");
  }
  return arguments_;
}

}  // namespace deltaproof::cli
