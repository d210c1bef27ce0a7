// The ledger as a page: docs/claims.md.
#include <fmt/format.h>

#include <algorithm>

#include "properties/claims/audit.hpp"
#include "properties/claims/papers.hpp"
#include "reports/text.hpp"

namespace deltaproof::claims {
namespace {

// Text inside a paragraph or a cell: nothing in it is markup, and it stays on its line.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '\\' || c == '|' || c == '*' || c == '_' || c == '<' || c == '`' || c == '[' || c == ']') out += '\\';
    out += c;
  }
  return out;
}

// Code of one line: no back quote can end it.
std::string code(const std::string& text) {
  std::string inside = printable(text);
  std::replace(inside.begin(), inside.end(), '`', '\'');
  return fmt::format("`{}`", inside);
}

std::string place_of(const Source& source) {
  return source.pages.empty() ? source.place : fmt::format("{}, p. {}", source.place, source.pages);
}

std::string row(const Audited& entry) {
  const Claim& claim = *entry.claim;
  const Outcome outcome = entry.result.outcome;
  const bool plain = outcome == Outcome::holds;
  std::string statement = escaped(claim.statement);
  if (!claim.conditions.empty()) statement += fmt::format(" (given: {})", escaped(claim.conditions));
  return fmt::format("| {} | {} | {} | {} | {} |\n", code(claim.id), escaped(place_of(claim.source)), statement,
                     voice_name(claim.source.voice), plain ? "holds" : fmt::format("**{}**", outcome_name(outcome)));
}

std::string line(const char* name, const std::string& text) {
  return text.empty() ? std::string{} : fmt::format("- {}: {}\n", name, text);
}

std::string counterexample_of(const Counterexample& found) {
  std::string text;
  for (const Named& input : found.inputs) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", escaped(input.name), code(input.value));
  }
  return text + (text.empty() ? "" : ". ") + escaped(found.shows);
}

std::string numbers_of(const std::vector<Named>& numbers) {
  std::string text;
  for (const Named& number : numbers) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", escaped(number.name), escaped(number.value));
  }
  return text;
}

// What a claim that is not simply true has below the table.
std::string block(const Ledger& ledger, const Audited& entry) {
  const Claim& claim = *entry.claim;
  const Result& result = entry.result;
  std::string text =
      fmt::format("**{}** ({}; {}, {}). {}\n\n", code(claim.id), voice_name(claim.source.voice),
                  outcome_name(result.outcome), escaped(place_of(claim.source)), escaped(result.finding));
  text += line("holds if", escaped(result.condition));
  if (result.counterexample) text += line("counterexample", counterexample_of(*result.counterexample));
  text += line("numbers", numbers_of(result.numbers));
  for (const Variant& variant : claim.variants) {
    if (variant.expected == Outcome::holds) text += line("true instead", escaped(variant.statement));
  }
  text += line("method", escaped(claim.method));
  return text + line("again", code(reproduction_line(ledger, entry))) + "\n";
}

std::string heading(const Paper& of) {
  std::string text = fmt::format("## {}\n\n{}", escaped(of.title), escaped(of.version));
  if (!of.date.empty()) text += fmt::format(", {}", of.date);
  return text + "\n\n";
}

std::string section(const Ledger& ledger, const Paper& of) {
  std::string rows, blocks;
  for (const Audited& entry : ledger.entries) {
    if (entry.claim->source.paper != of.id) continue;
    rows += row(entry);
    if (entry.result.outcome != Outcome::holds) blocks += block(ledger, entry);
  }
  if (rows.empty()) return {};
  std::string text = heading(of);
  text += fmt::format("| claim | place | statement | whose | outcome |\n|---|---|---|---|---|\n{}\n", rows);
  if (!blocks.empty()) text += fmt::format("### Not simply true\n\n{}", blocks);
  return text;
}

}  // namespace

std::string markdown_of(const Ledger& ledger) {
  std::string text = fmt::format("{} claims: {}.\n\n", ledger.entries.size(), summary_of(ledger));
  for (const Paper& each : papers()) text += section(ledger, each);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace deltaproof::claims
