#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference/problem/head.hpp"

namespace deltaproof::testing {

struct Shape {
  Index tokens = 32, K = 16, V = 6;
};

/// A head of normal deviates (|k| about 1, g about -0.1, gates in (0, 1)), all values exact in
/// float.
HeadInputs random_head(Rule rule, Shape shape, std::uint64_t seed);

/// Values rounded to float, so that a float kernel has the same inputs.
Matrix exact_in_float(const Matrix& matrix);

/// A head and what is special about it.
struct NamedHead {
  std::string name;
  HeadInputs head;
};

/// Every rule of the update family with its options: variants and positions of kla, normalisation.
std::vector<NamedHead> update_family_heads(Shape shape, std::uint64_t seed);

/// Heads at the edges: growth (beta |k|^2 = 100), no contraction (beta |k|^2 = 2), zero keys,
/// parallel keys, huge and tiny scales, g = -1000, v = S^T k (cancelling residual), a large initial
/// state.
std::vector<NamedHead> edge_heads(Shape shape, std::uint64_t seed);

}  // namespace deltaproof::testing
