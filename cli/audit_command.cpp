#include "cli/commands.hpp"

namespace deltaproof::cli {

int run_audit(const AuditArguments&) { throw UsageError("audit: not built yet"); }

}  // namespace deltaproof::cli
