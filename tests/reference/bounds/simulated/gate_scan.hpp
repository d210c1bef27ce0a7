#pragma once

#include "tests/reference/bounds/simulated/float_ops.hpp"

namespace deltaproof::simulated {

/// Orders of the prefix sum of the log decays.
enum class Scan { kogge_stone_32, sklansky, sequential, blocks_of_8 };

/// Inclusive prefix sums of each column, in fp32.
Floats prefix_sums(const Floats& g, Scan scan);

/// e^x from x log2(e) in fp32, to nearest or moved by 1.25 2^-22 (2.5 ulp at most) upwards or
/// downwards.
struct Exponential {
  double push = 0;  ///< -1, 0, 1
  bool flush = false;
  float operator()(float x_log2e) const;
};

inline constexpr float log2_e = 1.4426950216f;

}  // namespace deltaproof::simulated
