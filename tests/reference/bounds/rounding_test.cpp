#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/bounds/rounding.hpp"

namespace deltaproof {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Every value of a 16-bit format from `smallest` on, and points between neighbours.
template <class Decode>
void expect_covers_every_value(const Format& format, Decode decode, std::uint16_t last) {
  double attained_nearest = 0, attained_truncated = 0;
  for (std::uint16_t bits = 0; bits < last; ++bits) {
    const double low = decode(bits), high = decode(static_cast<std::uint16_t>(bits + 1));
    for (const double share : {0.0, 0.25, 0.49999, 0.5, 0.50001, 0.99999}) {
      const double x = low + share * (high - low);
      const double to_nearest = std::abs(round_to_nearest_even(format, x) - x);
      const double towards_zero = std::abs(round_towards_zero(format, x) - x);
      ASSERT_LE(to_nearest, nearest(format).error(x)) << x;
      ASSERT_LE(towards_zero, truncated(format).error(x)) << x;
      attained_nearest = std::max(attained_nearest, to_nearest / nearest(format).error(x));
      attained_truncated = std::max(attained_truncated, towards_zero / truncated(format).error(x));
    }
  }
  EXPECT_EQ(attained_nearest, 1);
  EXPECT_GT(attained_truncated, 0.999);
}

TEST(Rounding, CoversEveryBf16) {
  expect_covers_every_value(formats::bf16, bf16_to_double, 0x7f7f);
}
TEST(Rounding, CoversEveryF16) { expect_covers_every_value(formats::f16, f16_to_double, 0x7bff); }

TEST(Rounding, IsMonotoneSoThatALargerSizeCoversASmallerValue) {
  for (const Format& format : {formats::bf16, formats::f16, formats::tf32, formats::f32}) {
    double before = 0;
    for (double x = 0x1p-150; x < 0x1p15; x *= 1.03) {
      const double error = nearest(format).error(x);
      EXPECT_GE(error, before);
      EXPECT_EQ(truncated(format).error(x), 2 * error);
      EXPECT_LE(error, std::max(unit_roundoff(format) * x, nearest(format).error(0)));
      before = error;
    }
  }
}

// bf16 has p = 8: half an ulp at 1 is 2^-8, not 2^-9.
TEST(Rounding, HasTheUnitRoundoffsOfTheFormats) {
  EXPECT_EQ(nearest(formats::bf16).error(1), 0x1p-8);
  EXPECT_EQ(nearest(formats::f16).error(1), 0x1p-11);
  EXPECT_EQ(truncated(formats::tf32).error(1), 0x1p-10);
  EXPECT_EQ(nearest(formats::f32).error(1), u32);
  EXPECT_EQ(not_rounded.error(1), 0);
}

TEST(Rounding, OfWhatIsNotFiniteOrOverflowsKnowsNothing) {
  EXPECT_EQ(nearest(formats::f16).error(65520), infinity);
  EXPECT_EQ(nearest(formats::f16).error(infinity), infinity);
  EXPECT_TRUE(std::isnan(nearest(formats::f16).error(std::nan(""))));
}

TEST(Rounding, OfAMatrixIsThatOfItsElements) {
  Matrix m(2, 2);
  m << 1, 3, 0, 0x1p-130;
  const Matrix error = nearest(formats::bf16).error(m);
  for (Index i = 0; i < m.size(); ++i)
    EXPECT_EQ(error.data()[i], nearest(formats::bf16).error(m.data()[i]));
  EXPECT_EQ(not_rounded.error(m), Matrix(Matrix::Zero(2, 2)));
}

// (1 + u)^n - 1 <= gamma_n, and no less than n u.
TEST(Gamma, CoversNRoundings) {
  for (const double n : {1.0, 16.0, 64.0, 1000.0}) {
    EXPECT_GE(gamma_n(n, u32), std::expm1(n * std::log1p(u32)));
    EXPECT_GE(gamma_n(n, u32), -std::expm1(n * std::log1p(-u32)));
    EXPECT_LE(gamma_n(n, u32), n * u32 * (1 + 2 * n * u32));  // no fudge: second order in n u
  }
}

}  // namespace
}  // namespace deltaproof
