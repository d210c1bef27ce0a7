#include "cli/compare_options.hpp"

#include <CLI/CLI.hpp>

namespace deltaproof::cli {

CompareOptions::CompareOptions(CLI::App& app) : CommandOptions(app, "compare", "Compare two reports") {
  command_->add_option("OLD", arguments_.before, "report.json of before");
  command_->add_option("NEW", arguments_.after, "report.json of now");
}

CompareArguments CompareOptions::finish() {
  if (arguments_.before.empty() || arguments_.after.empty()) {
    throw UsageError("compare: two reports are needed, as in `deltaproof compare old/report.json new/report.json`");
  }
  return arguments_;
}

}  // namespace deltaproof::cli
