#include "reference/oracle/hola_sets.hpp"

#include <algorithm>
#include <cmath>

#include "reference/oracle/outward.hpp"

namespace deltaproof {

double lowest_score(double score, double radius) {
  if (radius == 0) return score;
  return radius < infinity ? std::nextafter(score - radius, -infinity) : -infinity;
}

double highest_score(double score, double radius) {
  if (radius == 0) return score;
  return radius < infinity ? std::nextafter(score + radius, infinity) : infinity;
}

std::vector<bool> certain_sets(const CacheScores& scores, const CacheSets& sets, Index block) {
  std::vector<bool> certain;
  Separation separation;  // what has left stays out
  std::vector<Index> candidates;
  for (const std::vector<Index>& set : sets) {
    for (const Index t : candidates) {
      if (std::ranges::binary_search(set, t)) continue;
      separation.leave(t, highest_score(scores.score(t, 0), scores.radius(t, 0)));
    }
    separation.forget_kept();
    for (const Index t : set) separation.keep(t, lowest_score(scores.score(t, 0), scores.radius(t, 0)));
    certain.push_back(separation.holds());
    const Index begin = static_cast<Index>(certain.size() - 1) * block;
    candidates = set;
    for (Index t = begin; t < std::min(begin + block, scores.score.rows()); ++t) candidates.push_back(t);
  }
  return certain;
}

}  // namespace deltaproof
