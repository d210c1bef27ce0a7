#pragma once

#include <string>
#include <vector>

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// The sequences of a problem whose shapes are checked. `cu_seqlens` and `state_indices` may be
/// nullptr. Throws InputError for boundaries that do not start at 0, decrease or pass T, and for
/// indices out of the pool or listed twice.
std::vector<Sequence> make_sequences(const std::string& file, const Dimensions& dims,
                                     const Options& options, const Tensor* cu_seqlens,
                                     const Tensor* state_indices);

}  // namespace deltaproof
