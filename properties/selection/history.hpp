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
  double lowest = 0;  ///< and must be at least this (above it, if it is the later token): what the evicted one has or had to beat
};

/// The first block at which no one vector of scores within the intervals explains all sets up to it; nothing if the
/// whole history is explained by one (docs/selection.md, theorem 2). `sets`: valid ones, A_n of min(w, n C) tokens of
/// A_{n-1} and block n - 1.
std::optional<Contradiction> contradiction(const ScoreIntervals& scores, const CacheSets& sets, Index block);

/// The least scores within the intervals whose top-w are `sets`, checked by selecting with them: the witness of theorem 2.
/// Nothing if the history is inconsistent, or if the doubles in an interval do not suffice to tell tokens apart.
std::optional<std::vector<double>> witness(const ScoreIntervals& scores, const CacheSets& sets, Index block);

}  // namespace deltaproof
