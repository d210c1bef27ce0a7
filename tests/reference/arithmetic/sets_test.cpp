// Rounding and elementwise operations on sets hold every value that they may give, among random members; and what may
// be infinite or NaN is unknown.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/reference/arithmetic/set_members.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

TEST(RoundingHull, OfATieIsTheEvenNumberAloneAndBothIfItIsWiderThanThat) {
  const Sets r = sets();
  SetBlock rounded = r.round(ball(1 + 0x1p-8, 0), Point::T);
  EXPECT_EQ(rounded.centre(0, 0), 1);
  EXPECT_EQ(rounded.radius(0, 0), 0);
  rounded = r.round(ball(1 + 0x1p-8, 0x1p-30), Point::T);
  EXPECT_EQ(rounded.centre(0, 0), 1) << "the kernel has an fp32 number there: only 1 + 2^-8";
  rounded = r.round(ball(1 + 0x1p-8, 0x1p-22), Point::T);
  EXPECT_TRUE(holds(rounded, 0, 0, 1) && holds(rounded, 0, 0, 1 + 0x1p-7f));
  rounded = r.round(ball(1 + 0x1p-9, 0x1p-10), Point::T);
  EXPECT_EQ(rounded.radius(0, 0), 0) << "all of it rounds to 1";
}

TEST(RoundingHull, AmongSubnormalNumbers) {
  const Sets r = sets();
  EXPECT_EQ(r.round(ball(0x1p-134, 0), Point::T).centre(0, 0), 0);
  const SetBlock rounded = r.round(ball(0x1p-134, 0x1p-148), Point::T);
  EXPECT_TRUE(holds(rounded, 0, 0, 0) && holds(rounded, 0, 0, 0x1p-133f));
  EXPECT_FALSE(holds(rounded, 0, 0, 0x1p-132f));
}

TEST(RoundingHull, IsUnknownWhereAnEndOverflows) {
  EXPECT_FALSE(unknown(sets().round(ball(0x1.fefffep127, 0), Point::T)));
  EXPECT_TRUE(unknown(sets().round(ball(0x1.ffp127, 0), Point::T)));
  EXPECT_TRUE(unknown(sets().round(ball(0x1.fep127, 0x1p120), Point::T)));
  EXPECT_FALSE(unknown(sets(declared(), formats::f16).round(ball(65519, 0), Point::T)));
  EXPECT_TRUE(unknown(sets(declared(), formats::f16).round(ball(65520, 0), Point::T)));
  const Sets cut = sets(with_point(Point::T, PointFormat::f16, PointMode::truncated));
  EXPECT_EQ(cut.round(ball(1e6, 0), Point::T).centre(0, 0), 65504);
}

TEST(RoundingHull, OfNaNOrAnUnknownIsUnknown) {
  EXPECT_TRUE(unknown(sets().round(ball(std::nan(""), 0), Point::T)));
  EXPECT_TRUE(unknown(sets().round(ball(0, infinity), Point::T)));
  EXPECT_TRUE(unknown(sets().round(ball(0, std::nan("")), Point::T)));
  EXPECT_TRUE(unknown(sets().add(ball(0, infinity), ball(1, 0))));
}

TEST(RoundingHull, HoldsEveryMemberRounded) {
  Random random(1);
  for (const PointFormat format : {PointFormat::bf16, PointFormat::f16, PointFormat::tf32, PointFormat::f32}) {
    for (const PointMode mode : {PointMode::nearest_even, PointMode::truncated}) {
      const Declared d = with_point(Point::T, format, mode);
      for (const auto& [low, high] : {std::pair(-3, 3), {-20, 16}, {-149, -120}, {120, 127}}) {
        const Drawn x = draw(random, 40, 40, low, high);
        expect_holds(sets(d).round(x.set, Point::T), bits(d).round(x.member, Point::T), "round");
      }
    }
  }
}

TEST(Elementwise, HoldsEveryResult) {
  Random random(2);
  const Sets r = sets();
  const Bits b = bits();
  for (const auto& [low, high] : {std::pair(-3, 3), {-80, -60}, {-149, -120}, {50, 64}, {120, 127}}) {
    const Drawn x = draw(random, 30, 30, low, high), y = draw(random, 30, 30, low, high), z = draw(random, 30, 30, low, high);
    expect_holds(r.add(x.set, y.set), b.add(x.member, y.member), "add");
    expect_holds(r.subtract(x.set, y.set), b.subtract(x.member, y.member), "subtract");
    expect_holds(r.times(x.set, y.set), b.times(x.member, y.member), "times");
    expect_holds(r.fma(x.set, y.set, z.set), b.fma(x.member, y.member, z.member), "fma");
    const Drawn row = draw(random, 1, 30, low, high), column = draw(random, 30, 1, low, high);
    expect_holds(r.times(column.set, row.set), b.times(column.member, row.member), "times, spread");
  }
}

TEST(Elementwise, IsExactToTheBitOnNumbers) {
  Random random(3);
  for (int turn = 0; turn < 2000; ++turn) {
    const double x = any_float(random, -10, 10), y = any_float(random, -10, 10), z = any_float(random, -10, 10);
    const SetBlock result = sets().fma(ball(x, 0), ball(y, 0), ball(z, 0));
    const float expected = std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    EXPECT_EQ(result.centre(0, 0), expected);
    EXPECT_EQ(result.radius(0, 0), 0);
  }
}

TEST(Unknown, SpreadsThroughProductsWithZero) {
  EXPECT_TRUE(unknown(sets().times(ball(0, infinity), ball(0, 0))));
  EXPECT_TRUE(unknown(sets().fma(ball(0, 0), ball(0, infinity), ball(1, 0))));
}

TEST(Unknown, SpreadsThroughAProductToItsRowOrColumnAlone) {
  for (const Format& input : {formats::bf16, formats::f16, formats::f32}) {
    SetBlock a{Matrix::Ones(3, 8), Matrix::Zero(3, 8)}, b{Matrix::Zero(8, 4), Matrix::Zero(8, 4)};
    a.radius(1, 2) = infinity;
    b.radius(3, 2) = infinity;
    const SetBlock product = sets(declared(), input).mma(sets().zero(3, 4), a, b, Product::gram);
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 4; ++j) EXPECT_EQ(unknown(product, i, j), i == 1 || j == 2) << i << ", " << j;
    }
  }
}

TEST(Unknown, IsRemovedAboveTheDiagonal) {
  const SetBlock all{Matrix::Ones(3, 3), Matrix::Constant(3, 3, infinity)};
  const SetBlock lower = sets().lower(all), strictly = sets().strictly_lower(all);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      EXPECT_EQ(lower.radius(i, j), j <= i ? infinity : 0);
      EXPECT_EQ(lower.centre(i, j), j <= i ? 1 : 0);
      EXPECT_EQ(strictly.radius(i, j), j < i ? infinity : 0);
    }
  }
}

// The exact results are small, the kernel's are infinite or NaN.
TEST(Unknown, IsWhatOverflowsOnTheWay) {
  const double huge = 0x1p100;
  SetBlock a{Matrix(1, 2), Matrix::Zero(1, 2)}, b{Matrix(2, 1), Matrix::Zero(2, 1)};
  a.centre << huge, -huge;
  b.centre << huge, huge;
  const Sets r = sets(declared(), formats::f32);
  const Bits kernel = bits(declared(), formats::f32);
  EXPECT_FALSE(std::isfinite(kernel.mma(kernel.zero(1, 1), kernel.given(a.centre), kernel.given(b.centre), Product::u)(0, 0)));
  EXPECT_TRUE(unknown(r.mma(r.zero(1, 1), a, b, Product::u)));
  EXPECT_FALSE(std::isfinite(kernel.scaled_sum(kernel.constant(huge), kernel.constant(-huge), kernel.constant(huge))(0, 0)));
  EXPECT_TRUE(unknown(r.scaled_sum(ball(huge, 0), ball(-huge, 0), ball(huge, 0))));
  const Matrix g = Matrix::Constant(2, 1, -0x1p127);
  EXPECT_TRUE(std::isinf(kernel.scan(kernel.given(g))(1, 0)));
  EXPECT_TRUE(unknown(r.scan(r.given(g)), 1, 0));
}

}  // namespace
}  // namespace deltaproof
