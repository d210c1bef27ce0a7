// Rounding on the bits of fp32 against rounding of doubles, at every exponent and at significands on, below and
// above each midpoint.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/arithmetic/float_rounding.hpp"

namespace deltaproof {
namespace {

std::vector<float> interesting() {
  std::vector<std::uint32_t> fractions;
  for (int bit = 0; bit < 23; ++bit) {
    for (const std::uint32_t base : {0u, 1u << 12, 1u << 13, 1u << 15, 1u << 16, 0x7f0000u, 0x7fe000u}) {
      for (const int by : {-1, 0, 1}) fractions.push_back(((base | 1u << bit) + static_cast<std::uint32_t>(by)) & 0x7fffffu);
    }
  }
  fractions.insert(fractions.end(), {0u, 1u, 0x7fffffu});
  std::vector<float> values;
  for (std::uint32_t exponent = 0; exponent <= 255; ++exponent) {
    for (const std::uint32_t fraction : fractions) {
      values.push_back(std::bit_cast<float>(exponent << 23 | fraction));
      values.push_back(-values.back());
    }
  }
  return values;
}

void expect_same(float computed, double expected, float x) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(computed)) << x;
  } else {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(computed), std::bit_cast<std::uint32_t>(static_cast<float>(expected)))
        << std::hexfloat << x;
  }
}

TEST(FloatRounding, IsThatOfTheFormat) {
  for (const Format& format : {formats::bf16, formats::f16, formats::tf32}) {
    for (const float x : interesting()) {
      expect_same(round_float(x, format, PointMode::nearest_even), round_to_nearest_even(format, x), x);
      expect_same(round_float(x, format, PointMode::truncated), round_towards_zero(format, x), x);
    }
  }
}

// x to nearest TF32, midpoints away from zero.
double nearest_away(double x) {
  if (!std::isfinite(x)) return x;
  const int exponent = x == 0 ? -126 : std::max(std::ilogb(x), -126);
  const double raised = std::abs(x) + std::ldexp(1.0, exponent - 11);  // exact
  const double size = raised >= 0x1p128 ? std::numeric_limits<double>::infinity()
                                        : round_towards_zero(formats::tf32, raised);
  return std::copysign(size, x);
}

TEST(MergeFactor, IsTf32InTheDeclaredWay) {
  for (const float x : interesting()) {
    expect_same(merge_factor(x, Merge::tf32_truncated), round_towards_zero(formats::tf32, x), x);
    expect_same(merge_factor(x, Merge::tf32_nearest_even), round_to_nearest_even(formats::tf32, x), x);
    expect_same(merge_factor(x, Merge::tf32_nearest_away), nearest_away(x), x);
    expect_same(merge_factor(x, Merge::ieee), x, x);
  }
}

TEST(MergeFactor, ThreeWaysDifferAtAMidpoint) {
  const float midpoint = 1 + 0x1p-11f;
  EXPECT_EQ(merge_factor(midpoint, Merge::tf32_truncated), 1.0f);
  EXPECT_EQ(merge_factor(midpoint, Merge::tf32_nearest_even), 1.0f);
  EXPECT_EQ(merge_factor(midpoint, Merge::tf32_nearest_away), 1 + 0x1p-10f);
  EXPECT_EQ(merge_factor(1 + 0x1p-11f + 0x1p-23f, Merge::tf32_nearest_even), 1 + 0x1p-10f);
}

}  // namespace
}  // namespace deltaproof
