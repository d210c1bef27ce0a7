#pragma once

#include <cstdint>
#include <vector>

#include "kernels/built_in/cache_stages.hpp"

namespace deltaproof {

/// Packed sequences of 5, 0 and 9 tokens, two key and four value heads.
ScoresInput random_scores_input(Dtype type, CallScore score, std::int64_t K, std::int64_t V);

/// `values` + 1 different scores, quarters; few of them make ties. The largest is infinite if there
/// are more than 4.
std::vector<float> random_scores(std::int64_t T, int values, std::uint64_t seed);

/// Packed sequences of 11, 0 and 26 tokens, one key and two value heads, w = 6, C = 5; for each
/// block some earlier tokens in no order.
ReadInput random_read_input(Dtype type, CallRead read, std::int64_t K, std::int64_t V);

}  // namespace deltaproof
