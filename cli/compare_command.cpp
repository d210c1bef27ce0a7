#include "cli/commands.hpp"

namespace deltaproof::cli {

int run_compare(const CompareArguments&) { throw UsageError("compare: not built yet"); }

}  // namespace deltaproof::cli
