// The ledger for people at a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "properties/claims/audit.hpp"
#include "reports/text.hpp"

namespace deltaproof::claims {
namespace {

constexpr int outcome_width = 23;  // of "holds under a condition"
constexpr int voice_width = 18;    // of "worked out from it"

// What stands below a claim: "    condition       eps = 0".
std::string detail(const char* name, const std::string& value) {
  return fmt::format("    {:<16}{}\n", name, printable(value));
}

std::string details(const Ledger& ledger, const Audited& entry, Detail wanted) {
  const Claim& claim = *entry.claim;
  const Result& result = entry.result;
  std::string text;
  if (wanted == Detail::everything) text += detail("statement", claim.statement);
  if (!claim.conditions.empty()) text += detail("given", claim.conditions);
  if (wanted == Detail::everything) text += detail("method", claim.method);
  if (!result.condition.empty()) text += detail("condition", result.condition);
  if (result.counterexample) {
    for (const Named& input : result.counterexample->inputs) {
      text += detail("counterexample", fmt::format("{} = {}", input.name, input.value));
    }
    text += detail("shows", result.counterexample->shows);
  }
  for (const Named& number : result.numbers) text += detail("number", fmt::format("{}: {}", number.name, number.value));
  return text + detail("reproduce", reproduction_line(ledger, entry));
}

}  // namespace

std::string text_of(const Ledger& ledger, Detail wanted) {
  std::size_t id_width = 0, place_width = 0;
  for (const Audited& entry : ledger.entries) {
    id_width = std::max(id_width, entry.claim->id.size());
    place_width = std::max(place_width, printable(entry.claim->source.place).size());
  }
  std::string text;
  for (const Audited& entry : ledger.entries) {
    const Outcome outcome = entry.result.outcome;
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", outcome_name(outcome), outcome_width, entry.claim->id,
                        id_width, printable(entry.claim->source.place), place_width,
                        voice_name(entry.claim->source.voice), voice_width, printable(entry.result.finding));
    const bool false_somewhere = outcome == Outcome::refuted || outcome == Outcome::conditional;
    if (false_somewhere || wanted == Detail::everything) text += details(ledger, entry, wanted);
  }
  return text + summary_of(ledger) + "\n";
}

}  // namespace deltaproof::claims
