// The 16-bit formats, exhaustively: every number, every midpoint and their neighbours in double.
#include "reference/problem/format.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace deltaproof {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Stored {
  const Format& format;
  double (*to_double)(std::uint16_t);
  std::uint16_t (*from_double)(double);
  std::uint16_t infinity;  // its bits; one below are those of the largest finite number
};

class SixteenBit : public ::testing::TestWithParam<Stored> {
 protected:
  /// The finite numbers >= 0 in order, then 2^(emax+1), which the format has not.
  std::vector<double> numbers() const {
    std::vector<double> all;
    for (std::uint16_t bits = 0; bits < GetParam().infinity; ++bits)
      all.push_back(GetParam().to_double(bits));
    all.push_back(std::ldexp(1, GetParam().format.max_exponent + 1));
    return all;
  }
};

/// Value of bits by the definition of a binary format, without bit tricks.
double by_definition(unsigned bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  const auto exponent = static_cast<int>((bits >> mantissa_bits) & ((1u << exponent_bits) - 1));
  const double fraction = std::ldexp(bits & ((1u << mantissa_bits) - 1), -mantissa_bits);
  if (exponent == 2 * bias + 1) return fraction == 0 ? sign * kInfinity : kNaN;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias);
  return sign * std::ldexp(1 + fraction, exponent - bias);
}

TEST(Bf16, EveryPatternHasTheValueOfItsDefinition) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const double expected = by_definition(bits, 8, 7);
    const double value = bf16_to_double(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(value, expected) << bits;
      ASSERT_EQ(std::signbit(value), bits >> 15 != 0) << bits;
    }
  }
}

TEST(F16, EveryPatternHasTheValueOfItsDefinition) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const double expected = by_definition(bits, 5, 10);
    const double value = f16_to_double(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(value, expected) << bits;
      ASSERT_EQ(std::signbit(value), bits >> 15 != 0) << bits;
    }
  }
}

TEST_P(SixteenBit, EveryPatternComesBack) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const double value = GetParam().to_double(pattern);
    const std::uint16_t back = GetParam().from_double(value);
    if (std::isnan(value))
      ASSERT_TRUE(std::isnan(GetParam().to_double(back))) << bits;
    else
      ASSERT_EQ(back, pattern) << bits;
  }
}

TEST_P(SixteenBit, RoundsEveryGapToNearestWithTiesToEven) {
  const auto& [format, to_double, from_double, infinity] = GetParam();
  const std::vector<double> all = numbers();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const double below = all[i];
    const double above = i + 2 == all.size() ? kInfinity : all[i + 1];
    const double middle = below + (all[i + 1] - below) / 2;  // exact
    const double even = i % 2 == 0 ? below : above;
    const struct {
      double x, rounded;
    } points[] = {
        {below, below},
        {std::nextafter(below, kInfinity), below},
        {std::nextafter(middle, 0), below},
        {middle, even},
        {std::nextafter(middle, kInfinity), above},
        {std::nextafter(all[i + 1], 0), above},
    };
    for (const auto& [x, rounded] : points) {
      ASSERT_EQ(round_to_nearest_even(format, x), rounded) << x;
      ASSERT_EQ(round_to_nearest_even(format, -x), -rounded) << x;
      ASSERT_EQ(to_double(from_double(x)), rounded) << x;
      ASSERT_EQ(to_double(from_double(-x)), -rounded) << x;
      ASSERT_EQ(round_towards_zero(format, x), below) << x;
      ASSERT_EQ(round_towards_zero(format, -x), -below) << x;
    }
  }
}

TEST_P(SixteenBit, HalfUlpIsHalfTheGapAboveEveryNumberAndWithinIt) {
  const Format& format = GetParam().format;
  const std::vector<double> all = numbers();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const double half = (all[i + 1] - all[i]) / 2;
    const double middle = all[i] + half;
    for (const double x : {all[i], std::nextafter(all[i], kInfinity), std::nextafter(middle, 0)}) {
      ASSERT_EQ(half_ulp(format, x), half) << x;
      ASSERT_EQ(half_ulp(format, -x), half) << x;
    }
    const bool overflows = i + 2 == all.size();
    for (const double x : {middle, std::nextafter(all[i + 1], 0)})
      ASSERT_EQ(half_ulp(format, x), overflows ? kInfinity : half) << x;
  }
}

TEST_P(SixteenBit, NotFiniteStaysSo) {
  const Format& format = GetParam().format;
  EXPECT_TRUE(std::isnan(half_ulp(format, kNaN)));
  EXPECT_TRUE(std::isnan(round_to_nearest_even(format, kNaN)));
  EXPECT_TRUE(std::isnan(round_towards_zero(format, kNaN)));
  EXPECT_EQ(half_ulp(format, -kInfinity), kInfinity);
  EXPECT_EQ(round_to_nearest_even(format, -kInfinity), -kInfinity);
  EXPECT_EQ(round_towards_zero(format, kInfinity), kInfinity);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, SixteenBit,
    ::testing::Values(Stored{formats::bf16, bf16_to_double, double_to_bf16, 0x7f80},
                      Stored{formats::f16, f16_to_double, double_to_f16, 0x7c00}),
    [](const auto& tested) { return std::string(tested.param.format.name); });

TEST(UnitRoundoff, IsTwoToTheMinusP) {
  EXPECT_EQ(unit_roundoff(formats::bf16), 0x1p-8);
  EXPECT_EQ(unit_roundoff(formats::f16), 0x1p-11);
  EXPECT_EQ(unit_roundoff(formats::tf32), 0x1p-11);
  EXPECT_EQ(unit_roundoff(formats::f32), 0x1p-24);
  EXPECT_EQ(unit_roundoff(formats::f64), 0x1p-53);
}

}  // namespace
}  // namespace deltaproof
