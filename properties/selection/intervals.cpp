#include "properties/selection/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deltaproof {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

ScoreIntervals score_intervals(std::span<const double> scores, std::span<const double> radius) {
  ScoreIntervals intervals;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    double lo = scores[t], hi = scores[t];
    if (radius[t] != 0) {
      lo = std::nextafter(lo - radius[t], -infinite);
      hi = std::nextafter(hi + radius[t], infinite);
    }
    intervals.lo.push_back(std::isnan(lo) ? -infinite : lo);
    intervals.hi.push_back(std::isnan(hi) ? infinite : hi);
  }
  return intervals;
}

ScoreIntervals intersection(const ScoreIntervals& a, const ScoreIntervals& b) {
  ScoreIntervals both = a;
  for (std::size_t t = 0; t < both.lo.size(); ++t) {
    both.lo[t] = std::max(a.lo[t], b.lo[t]);
    both.hi[t] = std::min(a.hi[t], b.hi[t]);
  }
  return both;
}

}  // namespace deltaproof
