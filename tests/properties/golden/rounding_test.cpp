// Numbers rounded once, and what an enclosure tells of the number in it.
#include "properties/golden/rounding.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace deltaproof::golden {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

class Rounding : public testing::Test {
 protected:
  WorkingPrecision precision_{256};
  static Mpfr two_to(int e) { return Mpfr(ldexp(Mpfr(1), e)); }
  static Interval enclosed(const Mpfr& low, const Mpfr& high) {
    Interval x;
    mpfi_interv_fr(x.backend().data(), low.backend().data(), high.backend().data());
    return x;
  }
  static Interval point(const Mpfr& x) { return enclosed(x, x); }
};

void expect_bits(double actual, double wanted) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(actual), std::bit_cast<std::uint64_t>(wanted)) << actual << " is not " << wanted;
}

TEST_F(Rounding, AgreesWithTheHardwareAndTheFormatsOnEveryKindOfDouble) {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(i % 2 == 0 ? engine() : (engine() & 0x000fffffffffffffU) | 0x3690000000000000U);
    if (!std::isfinite(x) || x == 0) continue;
    expect_bits(nearest(Mpfr(x), formats::f64), x);
    expect_bits(nearest(Mpfr(x), formats::f32), static_cast<double>(static_cast<float>(x)));
    for (const Format& format : {formats::bf16, formats::f16}) {
      expect_bits(nearest(Mpfr(x), format), round_to_nearest_even(format, x));
    }
  }
}

TEST_F(Rounding, TiesGoToTheEvenNeighbourAndWhatIsJustAboveDoesNot) {
  const Mpfr tie = Mpfr(1) + two_to(-8);
  EXPECT_EQ(nearest(tie, formats::bf16), 1);
  EXPECT_EQ(nearest(tie + two_to(-7), formats::bf16), 1 + 0x1p-6);
  EXPECT_EQ(nearest(tie + two_to(-200), formats::bf16), 1 + 0x1p-7);
  EXPECT_EQ(nearest(Mpfr(1) + two_to(-53), formats::f64), 1);
  EXPECT_EQ(nearest(Mpfr(1) + two_to(-53) + two_to(-200), formats::f64), 1 + 0x1p-52);
}

// 1 + 2^-8 + 2^-80 is 1 + 2^-8 as a double, a tie that would go down.
TEST_F(Rounding, TheStoredTypeIsNotRoundedByWayOfDouble) {
  const auto both = rounded(point(Mpfr(1) + two_to(-8) + two_to(-80)), formats::bf16);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->f64, 1 + 0x1p-8);
  EXPECT_EQ(both->stored, 1 + 0x1p-7);
  EXPECT_EQ(round_to_nearest_even(formats::bf16, both->f64), 1);
}

TEST_F(Rounding, TheEndsOfTheRange) {
  EXPECT_EQ(nearest(two_to(-1075), formats::f64), 0);
  expect_bits(nearest(-two_to(-1075), formats::f64), -0.0);
  EXPECT_EQ(nearest(two_to(-1075) + two_to(-1200), formats::f64), 0x1p-1074);
  EXPECT_EQ(nearest(two_to(-134) + two_to(-180), formats::bf16), 0x1p-133);
  EXPECT_EQ(nearest(Mpfr(65519), formats::f16), 65504);
  EXPECT_EQ(nearest(Mpfr(65520), formats::f16), infinite);
  EXPECT_EQ(nearest(-two_to(5000), formats::f32), -infinite);
  expect_bits(nearest(Mpfr(-0.0), formats::f32), 0.0);
}

TEST_F(Rounding, AnEnclosureThatHoldsATieTellsNothing) {
  const Mpfr tie = Mpfr(1) + two_to(-8), step = two_to(-100);
  EXPECT_FALSE(rounded(enclosed(tie - step, tie + step), formats::bf16));
  EXPECT_FALSE(rounded(enclosed(tie, tie + step), formats::bf16));
  EXPECT_TRUE(rounded(point(tie), formats::bf16));
  EXPECT_TRUE(rounded(enclosed(tie + step, tie + step * 1.25), formats::bf16));
}

TEST_F(Rounding, AnEnclosureRoundZeroTellsNothingUnlessItIsZero) {
  EXPECT_FALSE(rounded(enclosed(-two_to(-1100), two_to(-1100)), formats::bf16)) << "the sign of the zero is not known";
  const auto zero = rounded(Interval(0), formats::bf16);
  ASSERT_TRUE(zero);
  expect_bits(zero->f64, 0.0);
  EXPECT_EQ(zero->radius, 0x1p-1074);
}

TEST_F(Rounding, WhatNoDoubleHoldsIsNotTold) {
  EXPECT_FALSE(rounded(point(two_to(2000)), formats::bf16));
  EXPECT_FALSE(rounded(Interval(1) / Interval(0), formats::bf16));
  const Interval nan = Interval(0) / Interval(0);
  EXPECT_FALSE(rounded(nan, formats::bf16));
}

TEST_F(Rounding, TheRadiusIsTheLeastPowerOfTwoThatHoldsAboveItsFloor) {
  const auto radius = [&](const Mpfr& distance) { return rounded(point(Mpfr(1) + distance), formats::f32)->radius; };
  EXPECT_EQ(radius(two_to(-60)), 0x1p-60);
  EXPECT_EQ(radius(two_to(-60) * 1.001), 0x1p-59);
  EXPECT_EQ(radius(-two_to(-60) * 0.999), 0x1p-60);
  EXPECT_EQ(radius(two_to(-90)), 0x1p-84) << "2^-32 ulp";
  EXPECT_EQ(radius(Mpfr(0)), 0x1p-84);
}

TEST_F(Rounding, AnEnclosureThatLeavesTwoRadiiTellsNothing) {
  const Mpfr x = Mpfr(1) + two_to(-60);
  EXPECT_FALSE(rounded(enclosed(x, x + two_to(-100)), formats::f32));
  const auto near = rounded(enclosed(Mpfr(1) - two_to(-120), Mpfr(1) + two_to(-120)), formats::f32);
  ASSERT_TRUE(near) << "exact or nearly so: the floor covers both";
  EXPECT_EQ(near->radius, 0x1p-84);
}

}  // namespace
}  // namespace deltaproof::golden
