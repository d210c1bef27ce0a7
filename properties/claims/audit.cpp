#include "properties/claims/audit.hpp"

#include "properties/in_parallel.hpp"

namespace deltaproof::claims {

Ledger audit(const AuditOptions& options) {
  Ledger ledger;
  ledger.seed = options.effort.seed;
  ledger.entries.resize(options.claims.size());
  in_parallel(options.claims.size(), options.threads, [&](std::size_t i) {
    const Claim& claim = *options.claims[i];
    ledger.entries[i] = {&claim, claim.check(options.effort)};
  }, options.progress);
  return ledger;
}

OutcomeCounts count(const Ledger&) { return {}; }
std::string reproduction_line(const Ledger&, const Audited&) { return {}; }
std::string text_of(const Ledger&) { return {}; }
std::string json_of(const Ledger&) { return {}; }
std::string markdown_of(const Ledger&) { return {}; }

}  // namespace deltaproof::claims
