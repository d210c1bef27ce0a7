#include "reports/json_verdict.hpp"

namespace deltaproof {
namespace {

using namespace json_parts;

Json terms(const std::vector<BoundTerm>& list) {
  Json json = Json::array();
  for (const BoundTerm& term : list) {
    json.push_back({{"name", term.name}, {"value", number(term.value)}});
  }
  return json;
}

Json probes(const std::vector<Probe>& list) {
  Json json = Json::array();
  for (const Probe& probe : list) {
    json.push_back({{"tensor", probe.tensor},
                    {"head", index(probe.head)},
                    {"wrong_answer", probe.wrong_answer},
                    {"accepted", probe.accepted},
                    {"places", probe.places},
                    {"first", probe.places > 0 ? location(probe.first) : Json(nullptr)}});
  }
  return json;
}

Json conformity_json(const std::optional<ConformityReport>& report) {
  if (!report) return nullptr;
  Json json;
  json["declaration"] = report->declaration;
  json["layout"] = report->layout;
  json["pin"] = nullptr;
  if (!report->pin.empty()) {
    json["pin"] = {{"bound", report->pin},
                   {"compared", report->pin_compared},
                   {"violations", report->pin_violations},
                   {"unknown", report->pin_unknown},
                   {"unambiguous", report->pin_unambiguous},
                   {"first_bad", report->has_pin_first_bad ? location(report->pin_first_bad) : Json(nullptr)}};
  }
  json["bits"] = nullptr;
  if (!report->bits.empty()) {
    json["bits"] = {{"tensor_core", report->bits},
                    {"compared", report->bits_compared},
                    {"unequal", report->bits_unequal},
                    {"first", report->bits_unequal > 0 ? location(report->bits_first) : Json(nullptr)}};
  }
  json["would_fit"] = report->fits;
  json["missing"] = report->missing;
  return json;
}

Json structures(const std::vector<Structure>& list) {
  Json json = Json::array();
  for (const Structure& structure : list) {
    json.push_back({{"statistic", structure.statistic},
                    {"tensor", structure.tensor},
                    {"group", structure.group},
                    {"index", index(structure.index)},
                    {"value", number(structure.value)},
                    {"expected", number(structure.expected)},
                    {"limit", number(structure.limit)}});
  }
  return json;
}

Json advisory_json(const std::optional<AdvisoryReport>& report) {
  if (!report) return nullptr;
  Json json;
  json["off"] = report->off;
  json["units"] = report->units;
  json["units_off"] = report->units_off;
  json["why_units_off"] = report->why_units_off;
  json["sigma"] = {{"limit", number(report->sigma_limit)},
                   {"compared", report->sigma_compared},
                   {"outside", report->sigma_outside},
                   {"largest", number(report->sigma_largest)},
                   {"worst", location(report->sigma_worst)}};
  json["statistics"] = report->statistics;
  json["structures"] = structures(report->structures);
  return json;
}

Json provenance_json(const Provenance& ran) {
  if (ran.device.empty()) return nullptr;
  return {{"source_hash", ran.source_hash}, {"compiler", ran.compiler},       {"flags", ran.flags},
          {"device", ran.device},           {"driver", ran.driver},           {"tensor_core", ran.tensor_core},
          {"launch", ran.launch}};
}

Json findings_json(const std::vector<SourceFinding>& list) {
  Json json = Json::array();
  for (const SourceFinding& finding : list) {
    json.push_back(
        {{"kind", finding.kind}, {"message", finding.message}, {"file", finding.file}, {"line", finding.line}});
  }
  return json;
}

Json numbers(const std::vector<double>& list) {
  Json json = Json::array();
  for (const double value : list) json.push_back(number(value));
  return json;
}

Json profile_json(const TensorProfile& profile) {
  Json json;
  json["tensor"] = profile.tensor;
  json["heads"] = profile.heads;
  json["tokens"] = profile.tokens;
  json["tokens_a_cell"] = profile.tokens_a_cell;
  json["ratio"] = Json::array();
  for (const std::vector<double>& head : profile.ratio) json["ratio"].push_back(numbers(head));
  json["error"] = numbers(profile.error);
  json["allowed"] = numbers(profile.allowed);
  json["chunk_size"] = profile.chunk_size;
  json["position"] = numbers(profile.position);
  json["histogram_from"] = number(profile.histogram_from);
  json["histogram_step"] = number(profile.histogram_step);
  json["histogram"] = profile.histogram;
  return json;
}

Json profiles_json(const std::vector<TensorProfile>& list) {
  Json json = Json::array();
  for (const TensorProfile& profile : list) json.push_back(profile_json(profile));
  return json;
}

}  // namespace

json_parts::Json verdict_json(const Verdict& verdict) {
  Json json;
  json["case"] = verdict.case_name;
  json["path"] = verdict.case_path;
  json["kernel"] = verdict.kernel;
  json["arithmetic"] = verdict.arithmetic;
  json["property"] = verdict.property;
  json["bound"] = verdict.bound;
  json["status"] = status_name(verdict.status);
  json["reason"] = verdict.reason;
  json["worst_ratio"] = number(verdict.worst_ratio);
  json["location"] = location(verdict.worst);
  json["value"] = number(verdict.value);
  json["expected"] = number(verdict.expected);
  json["error"] = number(verdict.error);
  json["bound_value"] = number(verdict.bound_value);
  json["terms"] = terms(verdict.terms);
  json["first_bad"] = verdict.has_first_bad ? location(verdict.first_bad) : Json(nullptr);
  json["compared"] = verdict.compared;
  json["violations"] = verdict.violations;
  json["probes"] = probes(verdict.probes);
  json["conformity"] = conformity_json(verdict.conformity);
  json["advisory"] = advisory_json(verdict.advisory);
  json["ran"] = provenance_json(verdict.ran);
  json["outputs_hash"] = verdict.outputs_hash;
  json["reproduce"] = verdict.reproduce;
  json["notes"] = verdict.notes;
  json["findings"] = findings_json(verdict.findings);
  json["profile"] = profiles_json(verdict.profile);
  json["explained"] = verdict.explained;
  return json;
}

}  // namespace deltaproof
