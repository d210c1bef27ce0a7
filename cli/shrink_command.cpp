#include "cli/commands.hpp"

namespace deltaproof::cli {

int run_shrink(const ShrinkArguments&) { throw UsageError("shrink: not built yet"); }

}  // namespace deltaproof::cli
