#pragma once

#include <array>
#include <cmath>

#include "reference/arithmetic/channel_layout.hpp"

namespace deltaproof {

/// x y^T of two rows in fp32 by a warp: lane l has a chain of fma over elements l, l + 32, .., from zero; then halves of
/// the lanes (NormSum::warp).
template <class Row, class Other>
float warp_dot(const Row& x, const Other& y) {
  std::array<float, 32> lanes{};
  for (Index i = 0; i < x.size(); ++i) {
    float& sum = lanes[static_cast<std::size_t>(i % 32)];
    sum = std::fma(x(i), y(i), sum);
  }
  return sum_by_halves(lanes);
}

template <class Row>
float warp_square_sum(const Row& x) {
  return warp_dot(x, x);
}

}  // namespace deltaproof
