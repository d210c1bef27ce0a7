#include "cli/commands.hpp"

namespace deltaproof::cli {

int run_explain(const ExplainArguments&) { throw UsageError("explain: not built yet"); }

}  // namespace deltaproof::cli
