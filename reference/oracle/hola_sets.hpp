#pragma once

#include <optional>

#include "reference/oracle/hola_scores.hpp"

namespace deltaproof {

/// Ends of a score's interval, rounded outwards.
double lowest_score(double score, double radius);
double highest_score(double score, double radius);

/// Whether all scores of some kept tokens rank before all scores of others, whatever they are within their radii. A
/// tie that is certain goes to the earlier token.
class Separation {
 public:
  void keep(Index token, double lowest) {
    const Ranked entry{lowest, token};
    if (!worst_kept_ || RanksBefore()(*worst_kept_, entry)) worst_kept_ = entry;
  }
  void leave(Index token, double highest) {
    const Ranked entry{highest, token};
    if (!best_left_ || RanksBefore()(entry, *best_left_)) best_left_ = entry;
  }
  void forget_kept() { worst_kept_.reset(); }
  bool holds() const { return !worst_kept_ || !best_left_ || RanksBefore()(*worst_kept_, *best_left_); }

 private:
  std::optional<Ranked> worst_kept_, best_left_;
};

/// For each A_n of `sets`, which follow from scores that are fixed when written: whether the radii leave no other.
std::vector<bool> certain_sets(const CacheScores& scores, const CacheSets& sets, Index block);

}  // namespace deltaproof
