#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/arithmetic/declared.hpp"
#include "reference/problem/format.hpp"

namespace deltaproof {

/// x in fp32, rounded to a format that fp32 holds. NaN stays NaN.
inline float round_float(float x, const Format& format, PointMode mode) {
  const int dropped = 24 - format.significant_bits;
  const bool same_exponents = format.min_exponent == formats::f32.min_exponent;
  if (!same_exponents || !std::isfinite(x)) {
    const double y = x;
    return static_cast<float>(mode == PointMode::truncated ? round_towards_zero(format, y)
                                                           : round_to_nearest_even(format, y));
  }
  // The formats share fp32's exponents, subnormals too: rounding is integer arithmetic on the bits.
  auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t unit = 1u << dropped;
  if (mode == PointMode::nearest_even) bits += (unit >> 1) - 1 + ((bits >> dropped) & 1u);
  return std::bit_cast<float>(bits & ~(unit - 1));
}

/// x in fp32 as a factor that a merge multiplies.
inline float merge_factor(float x, Merge merge) {
  if (merge == Merge::ieee || !std::isfinite(x)) return x;
  if (merge == Merge::tf32_nearest_even) return round_float(x, formats::tf32, PointMode::nearest_even);
  auto bits = std::bit_cast<std::uint32_t>(x);
  if (merge == Merge::tf32_nearest_away) bits += 1u << 12;  // half a unit on the magnitude
  return std::bit_cast<float>(bits & ~((1u << 13) - 1));
}

}  // namespace deltaproof
