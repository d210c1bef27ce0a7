#include "properties/claims/audit.hpp"

#include <fmt/format.h>

#include <utility>

#include "properties/in_parallel.hpp"

namespace deltaproof::claims {
namespace {

void add(OutcomeCounts& counts, Outcome outcome) {
  switch (outcome) {
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

int sum(const OutcomeCounts& counts) {
  return counts.holds + counts.conditional + counts.refuted + counts.undecidable;
}

}  // namespace

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
  for (const Audited& entry : ledger.entries) add(counts, entry.result.outcome);
  return counts;
}

OutcomeCounts count(const Ledger& ledger, Voice voice) {
  OutcomeCounts counts;
  for (const Audited& entry : ledger.entries) {
    if (entry.claim->source.voice == voice) add(counts, entry.result.outcome);
  }
  return counts;
}

std::string text_of(const OutcomeCounts& counts) {
  return fmt::format("{} hold, {} hold under a condition, {} refuted, {} not decidable", counts.holds,
                     counts.conditional, counts.refuted, counts.undecidable);
}

std::string summary_of(const Ledger& ledger) {
  std::string summary = text_of(count(ledger));
  for (const auto& [voice, name] : {std::pair(Voice::stated, "stated by the sources"),
                                    std::pair(Voice::derived, "worked out from them"),
                                    std::pair(Voice::reading, "readings of them")}) {
    const OutcomeCounts counts = count(ledger, voice);
    if (sum(counts) > 0) summary += fmt::format("; of the {} {}: {}", sum(counts), name, text_of(counts));
  }
  return summary;
}

std::string reproduction_line(const Ledger& ledger, const Audited& entry) {
  std::string line = "deltaproof audit --claim ";
  line.append(entry.claim->id);
  if (ledger.seed != Effort{}.seed) line += fmt::format(" --seed {}", ledger.seed);
  return line;
}

}  // namespace deltaproof::claims
