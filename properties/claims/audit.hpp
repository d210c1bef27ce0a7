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
/// Of the statements whose words are these alone.
OutcomeCounts count(const Ledger& ledger, Voice voice);
/// "12 hold, 3 hold under a condition, 5 refuted, 1 not decidable".
std::string text_of(const OutcomeCounts& counts);
/// The counts of all, and of each voice: "...; of the 7 stated by the sources: ...; of the 4 worked out from them: ...".
std::string summary_of(const Ledger& ledger);

/// "deltaproof audit --claim kla.projection".
std::string reproduction_line(const Ledger& ledger, const Audited& entry);

enum class Detail {
  what_is_false,  ///< of what is refuted, or holds under a condition alone
  everything,     ///< of every entry; with its statement, conditions and method
};
/// For people: lines of printable ASCII, the counts last.
std::string text_of(const Ledger& ledger, Detail detail = Detail::what_is_false);
/// Format deltaproof.claims/1 (docs/audit.md), with what the verdicts rest on (assumptions.hpp).
std::string json_of(const Ledger& ledger, const Environment& environment);
/// The body of docs/claims.md.
std::string markdown_of(const Ledger& ledger);

}  // namespace deltaproof::claims
