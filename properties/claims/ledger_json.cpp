// The ledger for programs: deltaproof.claims/1.
#include "properties/claims/assumptions.hpp"
#include "properties/claims/audit.hpp"
#include "properties/claims/papers.hpp"
#include "reports/json_parts.hpp"

namespace deltaproof::claims {
namespace {

using json_parts::Json;

Json named(const std::vector<Named>& list) {
  Json json = Json::array();
  for (const Named& each : list) json.push_back({{"name", each.name}, {"value", each.value}});
  return json;
}

Json counterexample(const std::optional<Counterexample>& found) {
  if (!found) return nullptr;
  return {{"inputs", named(found->inputs)}, {"shows", found->shows}};
}

Json paper_json(const Paper& of) {
  return {{"id", of.id}, {"title", of.title}, {"version", of.version}, {"date", of.date}};
}

Json claim_json(const Ledger& ledger, const Audited& entry) {
  const Claim& claim = *entry.claim;
  const Result& result = entry.result;
  Json json;
  json["id"] = claim.id;
  json["paper"] = paper_json(paper(claim.source.paper));
  json["place"] = claim.source.place;
  json["pages"] = claim.source.pages;
  json["voice"] = voice_name(claim.source.voice);
  json["statement"] = claim.statement;
  json["conditions"] = claim.conditions;
  json["method"] = claim.method;
  json["outcome"] = outcome_name(result.outcome);
  json["finding"] = result.finding;
  json["condition"] = result.condition;
  json["counterexample"] = counterexample(result.counterexample);
  json["numbers"] = named(result.numbers);
  json["cases"] = result.cases;
  json["reproduce"] = reproduction_line(ledger, entry);
  return json;
}

Json counts_json(const OutcomeCounts& counts) {
  return {{"holds", counts.holds},
          {"conditional", counts.conditional},
          {"refuted", counts.refuted},
          {"undecidable", counts.undecidable}};
}

Json environment_json(const Environment& environment) {
  return {{"version", environment.version}, {"compiler", environment.compiler}, {"flags", environment.flags},
          {"host", environment.host},       {"cpu", environment.cpu},           {"date", environment.date}};
}

Json assumptions_json() {
  Json json = Json::array();
  for (const Assumption& each : assumptions()) {
    json.push_back({{"what", each.what}, {"value", each.value}, {"source", each.source}, {"if_wrong", each.if_wrong},
                    {"supported_by", each.supported_by}});
  }
  return json;
}

}  // namespace

std::string json_of(const Ledger& ledger, const Environment& environment) {
  Json json;
  json["schema"] = "deltaproof.claims/1";
  json["environment"] = environment_json(environment);
  json["seed"] = ledger.seed;
  json["counts"] = counts_json(count(ledger));
  Json& by_voice = json["counts_by_voice"] = Json::object();
  for (const Voice voice : {Voice::stated, Voice::derived, Voice::reading}) {
    by_voice[voice_name(voice)] = counts_json(count(ledger, voice));
  }
  Json& claims = json["claims"] = Json::array();
  for (const Audited& entry : ledger.entries) claims.push_back(claim_json(ledger, entry));
  json["assumptions"] = assumptions_json();
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace deltaproof::claims
