#include "cli/commands.hpp"

namespace deltaproof::cli {

int run_hunt(const HuntArguments&) { throw UsageError("hunt: not built yet"); }

}  // namespace deltaproof::cli
