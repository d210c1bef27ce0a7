#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reference/problem/matrix.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof::golden {

/// The `w` of `candidates` that a cache keeps, ascending: the higher score first, of equal scores the earlier token.
/// `scores` are those of all tokens. Nothing if some scores in their enclosures would leave another set.
std::optional<std::vector<Index>> certain_best(std::span<const Interval> scores, const std::vector<Index>& candidates,
                                               Index w);

}  // namespace deltaproof::golden
