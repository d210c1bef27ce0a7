#pragma once

#include "tests/reference/bounds/simulated/float_ops.hpp"

namespace deltaproof::simulated {

enum class Merge {
  tf32_left,
  tf32_right,
  ieee,
  none
};  ///< (X L) X, or X (L X); none: one substitution

/// (I + L)^{-1} in fp32: 16 x 16 diagonal blocks by row substitution, merged (or one substitution
/// of the whole).
Floats inverse(const Floats& L, Merge merge, Dots dots);

}  // namespace deltaproof::simulated
