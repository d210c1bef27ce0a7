#include "reports/page_data.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "reports/json_parts.hpp"

namespace deltaproof {
namespace {

using json_parts::Json;

/// What is not finite is beyond everything.
double ratio_of(const Json& verdict) {
  const Json& ratio = verdict.at("worst_ratio");
  return ratio.is_number() ? ratio.get<double>() : std::numeric_limits<double>::infinity();
}

bool has_profile(const Json& verdict) { return verdict.contains("profile") && !verdict["profile"].empty(); }

/// Indices of verdicts with a profile: what did not pass first, largest ratio first, then as in the report.
std::vector<std::size_t> by_need(const Json& verdicts) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (has_profile(verdicts[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const bool x_passed = verdicts[x].at("status") == "passed", y_passed = verdicts[y].at("status") == "passed";
    if (x_passed != y_passed) return y_passed;
    return ratio_of(verdicts[x]) > ratio_of(verdicts[y]);
  });
  return order;
}

void keep_within(const ProfileBudget& budget, Json& verdicts) {
  std::size_t bytes = 0, passed = 0;
  for (const std::size_t i : by_need(verdicts)) {
    Json& verdict = verdicts[i];
    const bool may_stay = verdict["status"] != "passed" || ++passed <= budget.closest;
    const std::size_t size = may_stay ? verdict["profile"].dump().size() : 0;
    if (may_stay && bytes + size <= budget.bytes) {
      bytes += size;
      continue;
    }
    verdict["profile"] = Json::array();
    verdict["profile_left_out"] = true;
  }
}

}  // namespace

std::string page_report(std::string_view report, const ProfileBudget& budget) {
  Json json = Json::parse(report);
  keep_within(budget, json["verdicts"]);
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string compact_json(std::string_view json) {
  if (json.empty()) return "null";
  return Json::parse(json).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string script_json(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace deltaproof
