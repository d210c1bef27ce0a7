#pragma once

#include "properties/regimes/generator.hpp"
#include "properties/selection/intervals.hpp"

namespace deltaproof {

/// Right scores with near-ties, how far a kernel's may be off, and a correct kernel's own.
struct DrawnScores {
  Index w = 0, block = 1;
  std::vector<double> exact, radius, kernel;
  ScoreIntervals intervals;
};

/// `closeness`: about how many neighbours in rank a score's radius reaches.
DrawnScores draw_scores(Generator& draw, Index tokens, Index w, Index block, double closeness);

/// Every history of sets that a cache of w tokens may have had, whatever its scores.
std::vector<CacheSets> all_histories(Index tokens, Index w, Index block);

/// Every set of `size` of the tokens, ascending.
std::vector<std::vector<Index>> all_subsets(const std::vector<Index>& tokens, Index size);

/// Calls visit(scores) for each vector of scores in the intervals on a grid of 1 / `steps`, a power of two; the ends are
/// integers.
template <class Visit>
void over_grid(const ScoreIntervals& intervals, int steps, Visit&& visit) {
  std::vector<double> scores = intervals.lo;
  while (true) {
    visit(scores);
    std::size_t t = 0;
    for (; t < scores.size(); ++t) {
      const double step = 1.0 / steps;
      if (scores[t] + step / 2 < intervals.hi[t]) {
        scores[t] += step;
        break;
      }
      scores[t] = intervals.lo[t];
    }
    if (t == scores.size()) return;
  }
}

/// Intervals between integers up to `largest`, of at most `width`.
ScoreIntervals draw_grid_intervals(Generator& draw, Index tokens, int largest, int width);

}  // namespace deltaproof
