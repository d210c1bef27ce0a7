#pragma once

#include <functional>
#include <string>
#include <vector>

#include "properties/claims/claim.hpp"
#include "reports/environment.hpp"

namespace deltaproof::claims {

struct AuditOptions {
  std::vector<const Claim*> claims;  ///< in the order of the ledger
  Effort effort;
  int threads = 0;                       ///< 0: all cores
  std::function<void(double)> progress;  ///< called with the share done, from any thread
};

struct Audited {
  const Claim* claim = nullptr;
  Result result;
};

/// The claims ledger.
struct Ledger {
  std::uint64_t seed = 0;
  std::vector<Audited> entries;  ///< as in `AuditOptions::claims`
};

/// Checks the claims, several at a time. The ledger does not depend on `threads`.
Ledger audit(const AuditOptions& options);

struct OutcomeCounts {
  int holds = 0, conditional = 0, refuted = 0, undecidable = 0;
};
OutcomeCounts count(const Ledger& ledger);
/// "12 hold, 3 hold under a condition, 5 refuted, 1 not decidable".
std::string text_of(const OutcomeCounts& counts);

/// "deltaproof audit --claim kla.projection".
std::string reproduction_line(const Ledger& ledger, const Audited& entry);

/// For people: lines of printable ASCII, the counts last.
std::string text_of(const Ledger& ledger);
/// Format deltaproof.claims/1 (docs/audit.md), with what the verdicts rest on (assumptions.hpp).
std::string json_of(const Ledger& ledger, const Environment& environment);
/// The body of docs/claims.md.
std::string markdown_of(const Ledger& ledger);

}  // namespace deltaproof::claims
