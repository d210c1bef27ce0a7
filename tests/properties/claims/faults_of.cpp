#include "tests/properties/claims/faults_of.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "properties/claims/papers.hpp"

namespace deltaproof::claims {
namespace {

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

bool has_paper(const std::string& id) {
  return std::any_of(papers().begin(), papers().end(), [&](const Paper& each) { return each.id == id; });
}

bool has_variant(const Claim& claim, Outcome expected) {
  return std::any_of(claim.variants.begin(), claim.variants.end(),
                     [&](const Variant& variant) { return variant.expected == expected; });
}

void add(std::vector<std::string>& faults, bool wrong, const char* fault) {
  if (wrong) faults.emplace_back(fault);
}

void add_form(std::vector<std::string>& faults, const Claim& claim) {
  const std::string prefix = claim.source.paper + ".";
  add(faults, !has_paper(claim.source.paper), "its paper is not known");
  add(faults, !claim.id.starts_with(prefix) || !is_word(claim.id.substr(std::min(prefix.size(), claim.id.size()))),
      "its id is not PAPER.words");
  add(faults, claim.source.place.empty(), "it has no place");
  add(faults, claim.statement.empty(), "it has no statement");
  add(faults, claim.method.empty(), "it has no method");
}

void add_variants(std::vector<std::string>& faults, const Claim& claim, const Effort& effort) {
  add(faults, !has_variant(claim, Outcome::refuted), "no variant is expected to be refuted");
  for (const Variant& variant : claim.variants) {
    const Result result = variant.check(effort);
    add(faults, variant.statement.empty(), "a variant has no statement");
    if (result.outcome != variant.expected) {
      faults.push_back(fmt::format("variant '{}' is expected to be: {}; it is: {}", variant.statement,
                                   outcome_name(variant.expected), outcome_name(result.outcome)));
    }
    for (const std::string& fault : faults_of(result)) faults.push_back(fmt::format("variant '{}': {}", variant.statement, fault));
  }
}

}  // namespace

std::vector<std::string> faults_of(const Result& result) {
  std::vector<std::string> faults;
  const bool conditional = result.outcome == Outcome::conditional;
  const bool false_somewhere = conditional || result.outcome == Outcome::refuted;
  add(faults, result.finding.empty(), "it has no finding");
  add(faults, false_somewhere != result.counterexample.has_value(), "a counterexample is of what is false somewhere");
  add(faults, result.counterexample && result.counterexample->inputs.empty(), "its counterexample has no input");
  add(faults, result.counterexample && result.counterexample->shows.empty(), "its counterexample shows nothing");
  add(faults, conditional == result.condition.empty(), "a condition is of what holds under one");
  return faults;
}

std::vector<std::string> faults_of(const Claim& claim, const Effort& effort) {
  std::vector<std::string> faults;
  add_form(faults, claim);
  const Result result = claim.check(effort);
  for (const std::string& fault : faults_of(result)) faults.push_back(fault);
  add(faults, result.outcome == Outcome::refuted && !has_variant(claim, Outcome::holds),
      "it is refuted, and no corrected statement holds");
  add_variants(faults, claim, effort);
  return faults;
}

}  // namespace deltaproof::claims
