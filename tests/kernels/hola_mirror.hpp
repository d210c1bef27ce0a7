#pragma once

#include <vector>

#include "kernels/built_in/cache_stages.hpp"

namespace deltaproof {

// The arithmetic of the kernels around HOLA's cache (docs/arithmetic.md, 'The cache'), in plain
// C++.

/// A row's sum of squares as a warp has it: lane l adds those at l, l + 32, .., then halves of the
/// lanes.
float mirrored_square_sum(const std::vector<float>& row);
float mirrored_factor(const std::vector<float>& row, CallRead read, float read_eps, float l2norm_eps);

std::vector<float> mirrored_scores(const ScoresInput& input);

/// o and cache_o, from the sets that were handed in.
ReadOutput mirrored_read(const ReadInput& input);

/// What the read must be in real numbers, and how far the kernel may be from it.
struct BoundedRead {
  std::vector<double> cache_o, bound;
};
BoundedRead bounded_read(const ReadInput& input);

}  // namespace deltaproof
