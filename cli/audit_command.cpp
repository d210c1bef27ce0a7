// `deltaproof audit`: checks the claims of papers, prints the ledger, and keeps it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/near_names.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "properties/claims/audit.hpp"
#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof::cli {
namespace {

constexpr const char* ledger_file = "claims.json";

[[noreturn]] void refuse(const std::string& id) {
  std::vector<std::string> known;
  for (const claims::Claim& claim : claims::claim_table()) known.push_back(claim.id);
  const std::vector<std::string> near = near_names(id, known);
  std::string message = fmt::format("--claim: there is no claim {}; ", shell_quote(id));
  if (!near.empty()) message += fmt::format("near are {}; ", fmt::join(near, ", "));
  throw UsageError(message + "all: deltaproof list claims");
}

// Those named, each once, in the order of the ledger; all if none is.
std::vector<const claims::Claim*> chosen(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    if (claims::find_claim(id) == nullptr) refuse(id);
  }
  std::vector<const claims::Claim*> some;
  for (const claims::Claim& claim : claims::claim_table()) {
    if (ids.empty() || std::find(ids.begin(), ids.end(), claim.id) != ids.end()) some.push_back(&claim);
  }
  return some;
}

void write(const std::string& folder, const claims::Ledger& ledger) {
  Interruption interruption;  // ledger and page, or neither
  write_report_part(folder, ledger_file, json_of(ledger, this_environment()));
  interruption.pass_on();
}

}  // namespace

int run_audit(const AuditArguments& arguments) {
  claims::AuditOptions options;
  options.claims = chosen(arguments.claims);
  options.effort.seed = arguments.seed;
  if (arguments.report) prepare_report_part(*arguments.report, ledger_file);

  Progress progress(1);
  progress.start(0, fmt::format("{} claims", options.claims.size()));
  options.progress = [&](double share) { progress.update(share); };
  const claims::Ledger ledger = audit(options);
  progress.clear();
  if (arguments.report) write(*arguments.report, ledger);
  print(text_of(ledger, arguments.claims.empty() ? claims::Detail::what_is_false : claims::Detail::everything));
  return 0;  // that a paper errs is a result, no failure
}

}  // namespace deltaproof::cli
