#pragma once

#include <optional>

#include "properties/selection/intervals.hpp"

namespace deltaproof {

/// Two tokens that no scores within the intervals rank as the sets do.
struct Contradiction {
  Index block = 0;    ///< n: A_n keeps `kept`, though
  Index kept = 0;
  Index evicted = 0;  ///< this token has left by then
  double highest = 0; ///< the kept token's score is at most this
  double lowest = 0;  ///< and must be at least (of the later token: above) this: the evicted token's, or what that had to beat itself
};

/// The first block at which no one vector of scores within the intervals explains all sets up to it; nothing if the
/// whole history is explained by one (docs/selection.md, theorem 2). `sets`: valid ones, A_n of min(w, n C) tokens of
/// A_{n-1} and block n - 1.
std::optional<Contradiction> contradiction(const ScoreIntervals& scores, const CacheSets& sets, Index block);

/// Scores within the intervals whose top-w are `sets`, if the history is consistent and every interval of a token that had to be
/// raised above an evicted one has room for it: the witness of theorem 2.
std::optional<std::vector<double>> witness(const ScoreIntervals& scores, const CacheSets& sets, Index block);

}  // namespace deltaproof
