#pragma once

#include <optional>
#include <span>
#include <vector>

#include "properties/selection/intervals.hpp"

namespace deltaproof {

/// Whether `kept` are the best of `candidates` (tokens, each once, `kept` among them) for some scores within the
/// intervals, by the order of the cache (docs/selection.md, theorem 1).
bool legitimate(const ScoreIntervals& scores, std::span<const Index> kept, std::span<const Index> candidates);

/// The candidates that are among the best `w` whatever the scores within the intervals, and those that never are.
std::vector<Index> must_in(const ScoreIntervals& scores, std::span<const Index> candidates, Index w);
std::vector<Index> must_out(const ScoreIntervals& scores, std::span<const Index> candidates, Index w);

/// Every legitimate set of w (or all, if fewer) of the candidates, each ascending; nothing if there are more than `limit`.
std::optional<std::vector<std::vector<Index>>> possible_sets(const ScoreIntervals& scores,
                                                             std::span<const Index> candidates, Index w, Index limit);

}  // namespace deltaproof
