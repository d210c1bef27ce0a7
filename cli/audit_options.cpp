#include "cli/audit_options.hpp"

#include <CLI/CLI.hpp>

#include "cli/numbers.hpp"

namespace deltaproof::cli {

AuditOptions::AuditOptions(CLI::App& app) : CommandOptions(app, "audit", "Check the claims of the papers") {
  command_->add_option("--claim", arguments_.claims, "This claim alone (may be repeated; default: all)")->type_name("ID");
  command_->add_option("--seed", seed_, "Seed of searches (default 0)")->type_name("S");
  command_->add_option("--report", arguments_.report, "Write claims.json and index.html into this folder")
      ->type_name("DIR");
}

AuditArguments AuditOptions::finish() {
  arguments_.seed = parse_seed(seed_);
  if (arguments_.report && arguments_.report->empty()) throw UsageError("--report: no folder given");
  return arguments_;
}

}  // namespace deltaproof::cli
