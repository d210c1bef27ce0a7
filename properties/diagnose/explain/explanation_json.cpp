#include "properties/diagnose/explain/explanation.hpp"
#include "reports/json.hpp"
#include "reports/json_parts.hpp"

namespace deltaproof {
namespace {

using namespace json_parts;

Json broken_json(const std::optional<BrokenTerms>& broken) {
  if (!broken) return nullptr;
  Json json{{"location", location(broken->where)}, {"value", number(broken->value)}, {"expected", number(broken->expected)},
            {"error", number(broken->error)},      {"allowed", number(broken->allowed)}};
  json["terms"] = Json::array();
  for (const BoundTerm& term : broken->terms) {
    json["terms"].push_back({{"name", term.name}, {"value", number(term.value)}, {"exceeded_alone", !(broken->error <= term.value)}});
  }
  return json;
}

Json stage_json(const StageFinding& stage) {
  Json json{{"pattern", failure_stage_name(stage.coarse)}, {"stage", stage.stage.empty() ? Json(nullptr) : Json(stage.stage)},
            {"candidates", stage.candidates}, {"because", stage.because}};
  json["parts"] = Json::array();
  for (const WrongPart& part : stage.parts) {
    json["parts"].push_back({{"name", part.name}, {"of", part.of_state ? "state" : "o"}, {"chunks", part.chunks},
                             {"of_chunks", part.of}, {"factor_low", number(part.low)}, {"factor_high", number(part.high)}});
  }
  json["would_tell"] = stage.would_tell;
  return json;
}

Json spread_json(const TensorSpread& spread) {
  Json json{{"tensor", spread.tensor}, {"bad", spread.bad}, {"judged", spread.judged}};
  json["axes"] = Json::array();
  for (const AxisSpread& axis : spread.axes) {
    json["axes"].push_back({{"axis", axis.axis}, {"bad", axis.bad}, {"judged", axis.judged.size()}, {"words", axis.words}});
  }
  json["patterns"] = spread.patterns;
  return json;
}

Json pattern_json(const ValuePattern& pattern) {
  Json json{{"kind", pattern.kind}, {"tensor", pattern.tensor}, {"values", pattern.values}, {"wrong", pattern.wrong}};
  if (pattern.kind == "factor") json["factor"] = {number(pattern.low), number(pattern.high)};
  json["sentence"] = pattern.sentence;
  return json;
}

Json defect_json(const Defect& defect) {
  return {{"id", defect.id}, {"stage", stage_name(defect.stage)}, {"class", bug_class_name(defect.bug_class)},
          {"sentence", defect.sentence}, {"formula", defect.formula}};
}

Json hypothesis_json(const Explanation& explanation, const Hypothesis& hypothesis) {
  Json json = defect_json(*hypothesis.defect);
  json["place"] = hypothesis.place;
  json["fits"] = explains(explanation, hypothesis);
  json["explained"] = number(hypothesis.explained);
  json["compared"] = hypothesis.compared;
  json["outside"] = hypothesis.outside;
  json["unequal"] = hypothesis.unequal;
  json["equivalents"] = Json::array();
  for (const Defect* other : hypothesis.equivalents) json["equivalents"].push_back(other->id);
  return json;
}

Json hypotheses_json(const Explanation& explanation) {
  if (!explanation.hypotheses) return nullptr;
  const Hypotheses& found = *explanation.hypotheses;
  Json json{{"kernel", found.kernel}, {"assumed", found.assumed}, {"tried", found.tried}};
  json["ranked"] = Json::array();
  for (const Hypothesis& one : found.ranked) json["ranked"].push_back(hypothesis_json(explanation, one));
  json["untried"] = Json::array();
  for (const auto& [defect, why] : found.untried) json["untried"].push_back({{"id", defect->id}, {"why", why}});
  return json;
}

const char* by_name(ExplainedBy by) {
  switch (by) {
    case ExplainedBy::nothing: return "nothing";
    case ExplainedBy::bound: return "bound";
    case ExplainedBy::declared_order: return "declared order";
  }
  return "nothing";
}

}  // namespace

std::string json_of(const Explanation& explanation) {
  Json json;
  json["format"] = "deltaproof.explanation/1";
  json["verdict"] = Json::parse(json_verdict(explanation.verdict));
  json["summary"] = verdict_sentence(explanation);
  json["held_against"] = by_name(explanation.by);
  json["first"] = broken_json(explanation.first);
  json["worst"] = broken_json(explanation.worst);
  json["stage"] = stage_json(explanation.stage);
  json["spread"] = Json::array();
  for (const TensorSpread& spread : explanation.spread) json["spread"].push_back(spread_json(spread));
  json["values"] = Json::array();
  for (const ValuePattern& pattern : explanation.patterns) json["values"].push_back(pattern_json(pattern));
  json["hypotheses"] = hypotheses_json(explanation);
  json["notes"] = explanation.notes;
  json["reproduce"] = explanation.reproduce;
  json["next"] = explanation.next;
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace deltaproof
