#include "properties/claims/audit.hpp"

#include <fmt/format.h>

#include "properties/in_parallel.hpp"

namespace deltaproof::claims {

Ledger audit(const AuditOptions& options) {
  Ledger ledger;
  ledger.seed = options.effort.seed;
  ledger.entries.resize(options.claims.size());
  const auto check = [&](std::size_t i) {
    const Claim& claim = *options.claims[i];
    ledger.entries[i] = {&claim, claim.check(options.effort)};
  };
  in_parallel(options.claims.size(), options.threads, check, options.progress);
  return ledger;
}

OutcomeCounts count(const Ledger& ledger) {
  OutcomeCounts counts;
  for (const Audited& entry : ledger.entries) {
    switch (entry.result.outcome) {
      case Outcome::holds:
        ++counts.holds;
        break;
      case Outcome::conditional:
        ++counts.conditional;
        break;
      case Outcome::refuted:
        ++counts.refuted;
        break;
      case Outcome::undecidable:
        ++counts.undecidable;
        break;
    }
  }
  return counts;
}

std::string text_of(const OutcomeCounts& counts) {
  return fmt::format("{} hold, {} hold under a condition, {} refuted, {} not decidable", counts.holds,
                     counts.conditional, counts.refuted, counts.undecidable);
}

std::string reproduction_line(const Ledger& ledger, const Audited& entry) {
  std::string line = "deltaproof audit --claim ";
  line.append(entry.claim->id);
  if (ledger.seed != Effort{}.seed) line += fmt::format(" --seed {}", ledger.seed);
  return line;
}

}  // namespace deltaproof::claims
