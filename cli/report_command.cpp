#include "cli/commands.hpp"

namespace deltaproof::cli {

int run_report(const ReportArguments&) { throw UsageError("report: not built yet"); }

}  // namespace deltaproof::cli
