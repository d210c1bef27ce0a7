#include "properties/diagnose/explain/value_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/text.hpp"

namespace deltaproof {
namespace {

double value_at(const MeasuredPlace& place) { return place.block->value(place.i, place.j); }

WrongValues wrong_values(const RunMap& run, bool states) {
  WrongValues wrong;
  for_each_bad(run, [&](const MeasuredBlock& block, Index i, Index j) {
    if (block.place.is_state == states && (states || block.place.tensor == "o")) wrong.push_back({&block, i, j});
  });
  return wrong;
}

std::string are(const std::string& tensor) { return tensor == "o" ? "is" : "are"; }

void add_not_finite(const WrongValues& wrong, const std::string& tensor, std::vector<ValuePattern>& patterns) {
  ValuePattern pattern{"not finite", tensor};
  pattern.wrong = static_cast<std::int64_t>(wrong.size());
  std::int64_t nan = 0;
  for (const MeasuredPlace& place : wrong) {
    nan += std::isnan(value_at(place));
    pattern.values += !std::isfinite(value_at(place));
  }
  if (pattern.values == 0) return;
  pattern.sentence = fmt::format("{} of the {} wrong values of {} are not finite: {} NaN, {} infinite", pattern.values,
                                 pattern.wrong, tensor, nan, pattern.values - nan);
  patterns.push_back(std::move(pattern));
}

// One and the same number: zero, or what memory held.
bool add_one_value(const WrongValues& wrong, const std::string& tensor, std::vector<ValuePattern>& patterns) {
  const double first = value_at(wrong.front());
  for (const MeasuredPlace& place : wrong) {
    if (value_at(place) != first) return false;
  }
  if (wrong.size() < 2 && first != 0) return false;
  ValuePattern pattern{first == 0 ? "zeros" : "one value", tensor};
  pattern.values = pattern.wrong = static_cast<std::int64_t>(wrong.size());
  pattern.sentence = first == 0 ? fmt::format("{} {} zero in every wrong place", tensor, are(tensor))
                                : fmt::format("{} {} {} in every wrong place", tensor, are(tensor), number_text(first, 9));
  patterns.push_back(std::move(pattern));
  return true;
}

void add_patterns(const RunMap& run, const Problem& problem, bool states, std::vector<ValuePattern>& patterns) {
  WrongValues wrong = wrong_values(run, states);
  const std::string tensor = states ? "states" : "o";
  if (wrong.empty()) return;
  add_not_finite(wrong, tensor, patterns);
  const bool all_finite =
      std::erase_if(wrong, [](const MeasuredPlace& place) { return !std::isfinite(value_at(place)); }) == 0;
  if (wrong.empty()) return;
  std::vector<ValuePattern> found;
  if (!add_one_value(wrong, tensor, found)) {
    for (auto& pattern : factor_patterns(wrong, tensor, problem)) found.push_back(std::move(pattern));
    for (auto& pattern : moved_patterns(wrong, tensor, run, problem)) found.push_back(std::move(pattern));
  }
  for (ValuePattern& pattern : found) {
    if (!all_finite) pattern.sentence += ", where they are finite";
    patterns.push_back(std::move(pattern));
  }
}

}  // namespace

double surprise(double error, double allowed) {
  constexpr double most = 8;  // one value alone proves little
  if (!(error > 0)) return 0;
  return allowed > 0 ? std::clamp(std::log2(error / allowed), 0.0, most) : most;
}

std::vector<ValuePattern> value_patterns(const RunMap& run, const Problem& problem) {
  std::vector<ValuePattern> patterns;
  add_patterns(run, problem, false, patterns);
  add_patterns(run, problem, true, patterns);
  return patterns;
}

}  // namespace deltaproof
