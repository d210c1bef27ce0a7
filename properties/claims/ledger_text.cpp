// The ledger for people at a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "properties/claims/audit.hpp"
#include "reports/text.hpp"

namespace deltaproof::claims {
namespace {

constexpr int outcome_width = 23;  // of "holds under a condition"

// What stands below a claim: "    condition       eps = 0".
std::string detail(const char* name, const std::string& value) {
  return fmt::format("    {:<16}{}\n", name, printable(value));
}

std::string details(const Ledger& ledger, const Audited& entry) {
  const Result& result = entry.result;
  std::string text;
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

std::string text_of(const Ledger& ledger) {
  std::size_t id_width = 0, place_width = 0;
  for (const Audited& entry : ledger.entries) {
    id_width = std::max(id_width, entry.claim->id.size());
    place_width = std::max(place_width, printable(entry.claim->source.place).size());
  }
  std::string text;
  for (const Audited& entry : ledger.entries) {
    const Outcome outcome = entry.result.outcome;
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", outcome_name(outcome), outcome_width, entry.claim->id, id_width,
                        printable(entry.claim->source.place), place_width, printable(entry.result.finding));
    if (outcome == Outcome::refuted || outcome == Outcome::conditional) text += details(ledger, entry);
  }
  return text + text_of(count(ledger)) + "\n";
}

}  // namespace deltaproof::claims
