#include "cli/report_options.hpp"

#include <CLI/CLI.hpp>

namespace deltaproof::cli {

ReportOptions::ReportOptions(CLI::App& app) : CommandOptions(app, "report", "Write index.html anew from what a report folder holds") {
  command_->add_option("DIR", arguments_.folder, "The folder that --report was given");
}

ReportArguments ReportOptions::finish() {
  if (arguments_.folder.empty()) throw UsageError("report: no folder given");
  return arguments_;
}

}  // namespace deltaproof::cli
