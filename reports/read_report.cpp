#include "reports/read_report.hpp"

#include <fmt/format.h>

#include "reports/json_document.hpp"
#include "reports/json_field.hpp"
#include "reports/read_file.hpp"
#include "reports/read_profile.hpp"

namespace deltaproof {
namespace {

using Field = const JsonField&;

std::string text_of(Field json) { return json.text(); }

Location location_of(Field json) {
  if (json.is_null()) return {};
  return {.tensor = json["tensor"].text(),
          .sequence = json["sequence"].index(),
          .token = json["token"].index(),
          .chunk = json["chunk"].index(),
          .chunk_position = json["chunk_position"].index(),
          .head = json["head"].index(),
          .row = json["row"].index(),
          .column = json["column"].index()};
}

Status status_of(Field json) {
  using enum Status;
  for (const Status status : {passed, failed, nonconforming, suspect, uninformative, skipped, error}) {
    if (json.text() == status_name(status)) return status;
  }
  json.refuse("passed, failed, nonconforming, suspect, uninformative, skipped or error");
}

Probe probe_of(Field json) {
  return {json["tensor"].text(),      json["head"].index(),  json["wrong_answer"].text(),
          json["accepted"].boolean(), json["places"].count(), location_of(json["first"])};
}

std::optional<ConformityReport> conformity_of(Field json) {
  if (json.is_null()) return std::nullopt;
  ConformityReport report;
  report.declaration = json["declaration"].text();
  report.layout = json["layout"].text();
  if (const JsonField pin = json["pin"]; !pin.is_null()) {
    report.pin = pin["bound"].text();
    report.pin_compared = pin["compared"].count();
    report.pin_violations = pin["violations"].count();
    report.pin_unknown = pin["unknown"].count();
    report.pin_unambiguous = pin["unambiguous"].count();
    report.has_pin_first_bad = !pin["first_bad"].is_null();
    report.pin_first_bad = location_of(pin["first_bad"]);
  }
  if (const JsonField bits = json["bits"]; !bits.is_null()) {
    report.bits = bits["tensor_core"].text();
    report.bits_compared = bits["compared"].count();
    report.bits_unequal = bits["unequal"].count();
    report.bits_first = location_of(bits["first"]);
  }
  report.fits = json["would_fit"].list(text_of);
  report.missing = json["missing"].list(text_of);
  return report;
}

Structure structure_of(Field json) {
  return {json["statistic"].text(), json["tensor"].text(),    json["group"].text(),  json["index"].index(),
          json["value"].number(),   json["expected"].number(), json["limit"].number()};
}

std::optional<AdvisoryReport> advisory_of(Field json) {
  if (json.is_null()) return std::nullopt;
  AdvisoryReport report;
  report.off = json["off"].text();
  report.units = json["units"].count();
  report.units_off = json["units_off"].count();
  report.why_units_off = json["why_units_off"].text();
  const JsonField sigma = json["sigma"];
  report.sigma_limit = sigma["limit"].number();
  report.sigma_compared = sigma["compared"].count();
  report.sigma_outside = sigma["outside"].count();
  report.sigma_largest = sigma["largest"].number();
  report.sigma_worst = location_of(sigma["worst"]);
  report.statistics = json["statistics"].count();
  report.structures = json["structures"].list(structure_of);
  return report;
}

Provenance provenance_of(Field json) {
  if (json.is_null()) return {};
  return {json["source_hash"].text(), json["compiler"].text(),    json["flags"].text(), json["device"].text(),
          json["driver"].text(),      json["tensor_core"].text(), json["launch"].text()};
}

SourceFinding finding_of(Field json) {
  return {json["kind"].text(), json["message"].text(), json["file"].text(), json["line"].count()};
}

Verdict verdict_of(Field json) {
  Verdict verdict;
  verdict.case_name = json["case"].text();
  verdict.case_path = json["path"].text();
  verdict.kernel = json["kernel"].text();
  verdict.arithmetic = json["arithmetic"].text();
  verdict.property = json["property"].text();
  verdict.bound = json["bound"].text();
  verdict.status = status_of(json["status"]);
  verdict.reason = json["reason"].text();
  verdict.worst_ratio = json["worst_ratio"].number();
  verdict.worst = location_of(json["location"]);
  verdict.value = json["value"].number();
  verdict.expected = json["expected"].number();
  verdict.error = json["error"].number();
  verdict.bound_value = json["bound_value"].number();
  verdict.terms = json["terms"].list(
      [](Field term) { return BoundTerm{term["name"].text(), term["value"].number()}; });
  verdict.has_first_bad = !json["first_bad"].is_null();
  verdict.first_bad = location_of(json["first_bad"]);
  verdict.compared = json["compared"].count();
  verdict.violations = json["violations"].count();
  verdict.probes = json["probes"].list(probe_of);
  verdict.conformity = conformity_of(json["conformity"]);
  verdict.advisory = advisory_of(json["advisory"]);
  verdict.ran = provenance_of(json["ran"]);
  verdict.outputs_hash = json["outputs_hash"].text();
  verdict.reproduce = json["reproduce"].text();
  verdict.notes = json["notes"].list(text_of);
  // Reports of before these were kept are of the same schema.
  if (json.has("findings")) verdict.findings = json["findings"].list(finding_of);
  if (json.has("profile")) verdict.profile = json["profile"].list(read_profile);
  if (json.has("explained")) verdict.explained = json["explained"].list(text_of);
  return verdict;
}

Environment environment_of(Field json) {
  return {json["deltaproof"].text(), json["compiler"].text(), json["flags"].text(), json["host"].text(),
          json["cpu"].text(),        json["device"].text(),   json["date"].text()};
}

/// A report that somebody cut verdicts out of, or whose status somebody changed, contradicts its own counts.
void check_summary(Field json, const std::vector<Verdict>& verdicts) {
  const Summary counted = summarise(verdicts);
  const auto check = [&json](const char* name, int count) {
    if (json[name].count() != count) json[name].refuse(fmt::format("{}, which is how many there are", count));
  };
  check("passed", counted.passed);
  check("failed", counted.failed);
  check("nonconforming", counted.nonconforming);
  check("suspect", counted.suspect);
  check("uninformative", counted.uninformative);
  check("skipped", counted.skipped);
  check("error", counted.error);
}

}  // namespace

Report parse_report(std::string_view json, const std::string& name) {
  const nlohmann::json document = parse_json_document(json, name);
  require_schema(document, "deltaproof.report/1", name);
  const JsonField root(document, name);
  Report report{environment_of(root["environment"]), root["verdicts"].list(verdict_of)};
  check_summary(root["summary"], report.verdicts);
  return report;
}

Report read_report(const std::filesystem::path& file) { return parse_report(read_report_file(file), file.string()); }

}  // namespace deltaproof
