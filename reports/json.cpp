#include "reports/json.hpp"

#include "reports/json_verdict.hpp"

namespace deltaproof {
namespace {

using namespace json_parts;

Json environment_json(const Environment& environment) {
  return {{"deltaproof", environment.version},
          {"compiler", environment.compiler},
          {"flags", environment.flags},
          {"host", environment.host},
          {"cpu", environment.cpu},
          {"device", environment.device},
          {"date", environment.date}};
}

Json summary_json(const Summary& summary) {
  return {{"passed", summary.passed},
          {"failed", summary.failed},
          {"nonconforming", summary.nonconforming},
          {"suspect", summary.suspect},
          {"uninformative", summary.uninformative},
          {"skipped", summary.skipped},
          {"error", summary.error}};
}

}  // namespace

std::string json_verdict(const Verdict& verdict) {
  return verdict_json(verdict).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string json_report(const std::vector<Verdict>& verdicts, const Environment& environment) {
  Json json;
  json["schema"] = "deltaproof.report/1";
  json["environment"] = environment_json(environment);
  json["summary"] = summary_json(summarise(verdicts));
  json["verdicts"] = Json::array();
  for (const Verdict& verdict : verdicts) json["verdicts"].push_back(verdict_json(verdict));
  // File names need not be UTF-8: broken bytes become U+FFFD instead of an exception.
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace deltaproof
