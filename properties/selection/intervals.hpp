#pragma once

#include <span>
#include <vector>

#include "reference/rules/cache_sets.hpp"

namespace deltaproof {

/// Where the scores that a kernel ranks by may lie: token t has its score in [lo[t], hi[t]]. An end that is NaN says
/// nothing: it counts as infinite.
struct ScoreIntervals {
  std::vector<double> lo, hi;

  Index tokens() const { return static_cast<Index>(lo.size()); }
};

/// [score - radius, score + radius], rounded outwards.
ScoreIntervals score_intervals(std::span<const double> scores, std::span<const double> radius);

/// What both say.
ScoreIntervals intersection(const ScoreIntervals& a, const ScoreIntervals& b);

/// Whether token i ranks before token j, their scores given: the higher score, of equal ones the earlier token.
inline bool ranks_before(double score_i, Index i, double score_j, Index j) {
  return RanksBefore{}({score_i, i}, {score_j, j});
}

}  // namespace deltaproof
