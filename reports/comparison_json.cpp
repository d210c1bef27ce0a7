#include "reports/comparison.hpp"
#include "reports/json_parts.hpp"
#include "reports/terminal.hpp"

namespace deltaproof {
namespace {

using namespace json_parts;

Json origin_json(const std::string& name, const Environment& environment) {
  return {{"file", name},
          {"deltaproof", environment.version},
          {"compiler", environment.compiler},
          {"device", environment.device},
          {"date", environment.date}};
}

/// null where nothing was compared with a bound.
Json ratio(const Verdict* verdict) {
  return verdict != nullptr && has_worst(*verdict) ? number(verdict->worst_ratio) : Json(nullptr);
}

Json status(const Verdict* verdict) {
  return verdict != nullptr ? Json(status_name(verdict->status)) : Json(nullptr);
}

Json entry_json(const Compared& entry) {
  const Verdict& verdict = entry.shown();
  return {{"case", verdict.case_name},
          {"kernel", verdict.kernel},
          {"property", verdict.property},
          {"change", change_name(entry.change)},
          {"bits", bits_change_name(entry.bits)},
          {"status_before", status(entry.before)},
          {"status_now", status(entry.now)},
          {"worst_ratio_before", ratio(entry.before)},
          {"worst_ratio_now", ratio(entry.now)},
          {"reason", verdict.reason},
          {"reproduce", verdict.reproduce}};
}

Json counts_json(const ReportComparison& comparison) {
  Json json;
  using enum Change;
  for (const Change change : {same, fixed, regressed, added, gone, not_run}) {
    json[change_name(change)] = comparison.count(change);
  }
  json["new failures"] = comparison.new_failures;
  json["new doubts"] = comparison.new_doubts;
  json["worse failures"] = comparison.worse_failures;
  return json;
}

}  // namespace

std::string comparison_json(const ComparedReports& reports) {
  const ReportComparison& comparison = *reports.comparison;
  Json json;
  json["schema"] = "deltaproof.comparison/1";
  json["before"] = origin_json(reports.before_name, reports.before->environment);
  json["now"] = origin_json(reports.now_name, reports.now->environment);
  json["differences"] = Json::array();
  for (const Difference& difference : comparison.differences) {
    json["differences"].push_back(
        {{"what", difference.what}, {"before", difference.before}, {"now", difference.now}});
  }
  json["counts"] = counts_json(comparison);
  for (const BitsChange bits : {BitsChange::unchanged, BitsChange::changed, BitsChange::unknown}) {
    json["bits"][bits_change_name(bits)] = comparison.count(bits);
  }
  json["compared"] = comparison.ran_twice;
  json["verdicts"] = Json::array();
  for (const Compared& entry : comparison.entries) json["verdicts"].push_back(entry_json(entry));
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace deltaproof
