#include "cli/commands.hpp"

namespace deltaproof::cli {

int run_golden(const GoldenArguments&) { throw UsageError("golden: not built yet"); }

}  // namespace deltaproof::cli
