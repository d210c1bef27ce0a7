#include "tests/properties/selection/histories.hpp"

#include <algorithm>

namespace deltaproof {

DrawnScores draw_scores(Generator& draw, Index tokens, Index w, Index block, double closeness) {
  DrawnScores drawn;
  drawn.w = w, drawn.block = block;
  for (Index t = 0; t < tokens; ++t) {
    const double exact = draw.uniform(), radius = closeness / static_cast<double>(tokens) * draw.uniform();
    drawn.exact.push_back(exact);
    drawn.radius.push_back(radius);
    drawn.kernel.push_back(exact + radius * draw.uniform(-1, 1));
  }
  drawn.intervals = score_intervals(drawn.exact, drawn.radius);
  return drawn;
}

std::vector<std::vector<Index>> all_subsets(const std::vector<Index>& tokens, Index size) {
  std::vector<std::vector<Index>> subsets;
  for (std::uint32_t bits = 0; bits < (1u << tokens.size()); ++bits) {
    std::vector<Index> subset;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if ((bits >> i) & 1u) subset.push_back(tokens[i]);
    }
    if (static_cast<Index>(subset.size()) == size) subsets.push_back(std::move(subset));
  }
  return subsets;
}

std::vector<CacheSets> all_histories(Index tokens, Index w, Index block) {
  std::vector<CacheSets> histories{{{}}};
  for (Index n = 1; n < block_count(tokens, block); ++n) {
    std::vector<CacheSets> longer;
    for (const CacheSets& history : histories) {
      std::vector<Index> candidates = history.back();
      for (Index t = (n - 1) * block; t < n * block; ++t) candidates.push_back(t);
      for (std::vector<Index>& set : all_subsets(candidates, std::min(w, n * block))) {
        longer.push_back(history);
        longer.back().push_back(std::move(set));
      }
    }
    histories = std::move(longer);
  }
  return histories;
}

ScoreIntervals draw_grid_intervals(Generator& draw, Index tokens, int largest, int width) {
  ScoreIntervals intervals;
  for (Index t = 0; t < tokens; ++t) {
    const int lo = draw.integer(0, largest);
    intervals.lo.push_back(lo);
    intervals.hi.push_back(std::min(largest, lo + draw.integer(0, width)));
  }
  return intervals;
}

}  // namespace deltaproof
