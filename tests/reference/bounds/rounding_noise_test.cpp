// The errors of one rounding point: their size, and what rounding the exact values makes.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <iterator>

#include "reference/bounds/noise.hpp"

namespace deltaproof {
namespace {

Matrix column(std::initializer_list<double> values) {
  return Eigen::Map<const Matrix>(std::data(values), static_cast<Index>(values.size()), 1);
}

TEST(RoundingNoise, RehearsesTheRoundingOfTheExactValues) {
  const Matrix x = column({1 + 0x1p-9, -1.5 - 0x1p-10, 1 + 0x1p-8, 0});  // bf16: steps of 2^-7; a tie
  const NoiseSource s = rounding_noise("x", Matrix::Identity(4, 4), {}, x, nearest(formats::bf16));
  EXPECT_EQ(s.name, "x");
  EXPECT_EQ(s.left, Matrix(Matrix::Identity(4, 4)));
  EXPECT_EQ(s.right.size(), 0);
  EXPECT_EQ(s.rehearsal, column({-0x1p-9, 0x1p-10, -0x1p-8, 0}));
}

// h is half the spacing: 2^-8 from 1 on, 2^-7 from 2 on. A value less than 1/128 below 2 may be above it in the
// kernel. Zero is not rounded.
TEST(RoundingNoise, IsUniformOverOneSpacing) {
  const Matrix x = column({1, -1.5, 1.984, 1.985, -2, 3.9, 0});
  const NoiseSource s = rounding_noise("x", {}, {}, x, nearest(formats::bf16));
  const double one = 0x1p-16 / 3, two = 0x1p-14 / 3;
  EXPECT_EQ(s.variance, column({one, one, one, two, two, two, 0}));
}

// Truncation is off by up to a whole spacing, in one direction: half a spacing either way about its mean.
TEST(RoundingNoise, OfTruncationIsAboutItsMean) {
  const Matrix x = column({1 + 0x1p-11, -1 - 0x1p-11, 1.5, -1.5, 0});  // tf32: steps of 2^-10
  const NoiseSource s = rounding_noise("x", {}, {}, x, truncated(formats::tf32));
  EXPECT_EQ(s.rehearsal, column({0, 0, 0x1p-11, -0x1p-11, 0}));
  const double one = 0x1p-22 / 3;
  EXPECT_EQ(s.variance, column({one, one, one, one, 0}));
}

// Errors of points in the middle of 2^-17: m in each spacing, 1024 of bf16 and 128 of tf32, have the mean 0 and the
// mean square (h^2 / 3)(1 - m^-2).
TEST(RoundingNoise, HasTheMeanAndVarianceOfItsRehearsals) {
  const Index n = 124 * 1024;
  Matrix x(n, 1);
  for (Index i = 0; i < n; ++i) x(i, 0) = 1 + (static_cast<double>(i) + 0.5) * 0x1p-17;
  for (const Format& format : {formats::bf16, formats::tf32}) {
    for (const Rounding& point : {nearest(format), truncated(format)}) {
      const NoiseSource s = rounding_noise("x", {}, {}, x, point);
      const double m = format == formats::bf16 ? 1024 : 128;
      EXPECT_NEAR(s.rehearsal.squaredNorm() / s.variance.sum(), 1 - 1 / (m * m), 0x1p-30);
      EXPECT_NEAR(s.rehearsal.sum(), 0, 0x1p-30);
    }
  }
}

// The kernel's value may be farther away than that, by as much as `apart`: into the next binade, or out of zero.
TEST(RoundingNoise, IsOfTheSizeThatAValueMayHave) {
  const Matrix x = column({1, -1, 1, -1, 0, 0}), apart = column({0, 0.99, -1, 3, 0.25, 0});
  const NoiseSource s = rounding_noise("x", {}, {}, x, nearest(formats::bf16), apart);
  const double one = 0x1p-16 / 3, two = 4 * one, four = 16 * one;
  EXPECT_EQ(s.variance, column({one, one, two, four, one / 16, 0}));
  EXPECT_EQ(s.rehearsal, column({0, 0, 0, 0, 0, 0}));
  const Matrix y = column({1 + 0x1p-9});  // rehearsed as it is
  EXPECT_EQ(rounding_noise("y", {}, {}, y, nearest(formats::bf16), column({4})).rehearsal, column({-0x1p-9}));
}

TEST(BoundedNoise, HasTheLargestVarianceWithinItsWidth) {
  const Matrix left = Matrix::Ones(2, 3), right = Matrix::Ones(1, 4);
  const NoiseSource s = bounded_noise("sum", left, right, column({0.5, 2, 0}));
  EXPECT_EQ(s.name, "sum");
  EXPECT_EQ(s.left, left);
  EXPECT_EQ(s.right, right);
  EXPECT_EQ(s.variance, column({0.25, 4, 0}));
  EXPECT_EQ(s.rehearsal, column({0, 0, 0}));  // of sums: nothing is known
  const Matrix rehearsal = column({0.25, -2, 0});
  const NoiseSource rehearsed = bounded_noise("either way", left, right, column({0.5, 2, 0}), rehearsal);
  EXPECT_EQ(rehearsed.variance, s.variance);
  EXPECT_EQ(rehearsed.rehearsal, rehearsal);
}

TEST(RoundAll, RoundsAsThePointDoes) {
  const Matrix x = column({1 + 0x1p-8, 1 + 3 * 0x1p-8, -1 - 0x1p-7 + 0x1p-20, 0});
  EXPECT_EQ(round_all(x, not_rounded), x);
  EXPECT_EQ(round_all(x, nearest(formats::bf16)), column({1, 1 + 0x1p-6, -1 - 0x1p-7, 0}));
  EXPECT_EQ(round_all(x, truncated(formats::bf16)), column({1, 1 + 0x1p-7, -1, 0}));
}

}  // namespace
}  // namespace deltaproof
