// Operations on sets hold every value that they may give: rounding, elementwise operations, products, 2^x, scans and
// scaled sums, among random members; and what may be infinite or NaN is unknown.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/float_rounding.hpp"
#include "reference/arithmetic/interval_rounding.hpp"
#include "reference/arithmetic/sets.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

using Random = std::mt19937_64;
constexpr double infinity = std::numeric_limits<double>::infinity();

Declared declared() { return built_in("fla-chunk", Rule::gated_delta).value(); }
Resolved resolved(const Declared& d, const Format& input = formats::bf16) { return resolve(d, input, input, false, false); }
Sets sets(const Declared& d = declared(), const Format& input = formats::bf16) {
  return Sets(resolved(d, input), tensor_core(d.mma));
}
Bits bits(const Declared& d = declared(), const Format& input = formats::bf16) { return Bits(resolved(d, input)); }

SetBlock ball(double centre, double radius) { return {Matrix::Constant(1, 1, centre), Matrix::Constant(1, 1, radius)}; }
bool unknown(const SetBlock& a, Index i = 0, Index j = 0) { return a.radius(i, j) == infinity; }

bool holds(const SetBlock& set, Index i, Index j, float x) {
  if (set.radius(i, j) == infinity) return true;
  return std::abs(static_cast<long double>(x) - set.centre(i, j)) <= set.radius(i, j);
}
void expect_holds(const SetBlock& set, const MatrixF& values, const std::string& what) {
  ASSERT_EQ(set.rows(), values.rows());
  ASSERT_EQ(set.cols(), values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      EXPECT_TRUE(holds(set, i, j, values(i, j))) << what << ": " << std::hexfloat << values(i, j) << " not within "
                                                  << set.radius(i, j) << " of " << set.centre(i, j);
    }
  }
}

double uniform(Random& random, double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
float any_float(Random& random, int low, int high) {
  const int exponent = std::uniform_int_distribution(low, high)(random);
  return static_cast<float>(std::ldexp(uniform(random, -2, 2), exponent));
}

// A set of fp32 numbers, and one of them: at an end, within, or the only one.
struct Drawn {
  SetBlock set;
  MatrixF member;
};
Drawn draw(Random& random, Index rows, Index cols, int low, int high) {
  Drawn drawn{{Matrix::Zero(rows, cols), Matrix::Zero(rows, cols)}, MatrixF(rows, cols)};
  for (Index i = 0; i < rows * cols; ++i) {
    const float x = any_float(random, low, high);
    float y = x;
    switch (std::uniform_int_distribution(0, 3)(random)) {
      case 0: break;
      case 1: y = std::nextafter(x, std::numeric_limits<float>::infinity()); break;
      case 2: y = static_cast<float>(x * uniform(random, 0.999, 1.001)); break;
      default: y = any_float(random, low, high); break;
    }
    const Ball hull = ball_between(std::min(x, y), std::max(x, y));
    drawn.set.centre.data()[i] = hull.centre;
    drawn.set.radius.data()[i] = hull.radius;
    const auto between = static_cast<float>(std::clamp<double>(uniform(random, x, y), std::min(x, y), std::max(x, y)));
    const float members[] = {x, y, between};
    drawn.member.data()[i] = members[std::uniform_int_distribution(0, 2)(random)];
  }
  return drawn;
}

Declared with_point(Point point, PointFormat format, PointMode mode) {
  Declared d = declared();
  d[point] = {format, mode};
  return d;
}

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

TEST(Products, HoldEveryResultInEveryType) {
  Random random(4);
  for (const char* model : {"hopper", "ampere", "fp32_rn"}) {
    for (const Format& input : {formats::bf16, formats::f16, formats::f32}) {
      for (const int parts : {1, 2, 4}) {
        for (const auto& [low, high] : {std::pair(-4, 4), {-16, -9}, {-80, -60}}) {
          Declared d = declared();
          d.mma = model;
          for (const Product product : {Product::gram, Product::u}) {
            d[product] = parts;
            const Sets r = sets(d, input);
            const Bits kernel = bits(d, input);
            const Drawn c = draw(random, 6, 5, 2 * low, 2 * high), x = draw(random, 6, 37, low, high),
                        y = draw(random, 37, 5, low, high);
            // Factors as the kernel has rounded them.
            const SetBlock a = r.round(x.set, Point::T), b = r.round(y.set, Point::T);
            const MatrixF a_member = kernel.round(x.member, Point::T), b_member = kernel.round(y.member, Point::T);
            expect_holds(r.mma(c.set, a, b, product), kernel.mma(c.member, a_member, b_member, product),
                         std::string(model) + ", " + std::string(input.name));
          }
        }
      }
    }
  }
}

TEST(Merges, HoldTheirOwnResultsAndNotThoseOfAnotherMode) {
  constexpr Merge modes[] = {Merge::tf32_truncated, Merge::tf32_nearest_even, Merge::tf32_nearest_away, Merge::ieee};
  Random random(5);
  const auto with = [](Merge merge) {
    Declared d = declared();
    d.merge = merge;
    return d;
  };
  const Drawn c = draw(random, 16, 16, -2, 2), a = draw(random, 16, 16, -2, 2), b = draw(random, 16, 16, -2, 2);
  for (const Merge mode : modes) {
    const Declared d = with(mode);
    expect_holds(sets(d).merge(c.set, a.set, b.set), bits(d).merge(c.member, a.member, b.member), "merge");
    // On numbers alone the sets tell the modes apart; the two nearest ones only where there are ties.
    const Sets r = sets(d);
    const auto exact = [&](const MatrixF& m) { return r.given(m.cast<double>()); };
    const SetBlock one = r.merge(exact(c.member), exact(a.member), exact(b.member));
    for (const Merge other : modes) {
      const bool ties = mode != Merge::tf32_truncated && mode != Merge::ieee && other != Merge::tf32_truncated && other != Merge::ieee;
      if (ties) continue;
      const MatrixF values = bits(with(other)).merge(c.member, a.member, b.member);
      bool all = true;
      for (Index i = 0; i < 16; ++i) {
        for (Index j = 0; j < 16; ++j) all = all && holds(one, i, j, values(i, j));
      }
      EXPECT_EQ(all, mode == other);
    }
  }
}

TEST(PowerOfTwo, HoldsEveryInstruction) {
  Random random(6);
  for (const Exp2 exp2 : {Exp2::approx, Exp2::approx_ftz, Exp2::correctly_rounded}) {
    Declared d = declared();
    d.exp2 = exp2;
    for (const auto& [low, high] : {std::pair(-30, -20), {-149, -140}, {-3, 3}, {3, 6}}) {
      const Drawn x = draw(random, 60, 60, low, high);
      expect_holds(sets(d).exp2(x.set), bits(d).exp2(x.member), "2^x");
    }
    for (double x = -155; x < -120; x += 0.0625) {
      expect_holds(sets(d).exp2(ball(x, 0)), bits(d).exp2(MatrixF::Constant(1, 1, static_cast<float>(x))), "2^x");
    }
  }
}

TEST(PowerOfTwo, OfZeroIsOneAndOverflowIsUnknown) {
  EXPECT_EQ(sets().exp2(ball(0, 0)).centre(0, 0), 1);
  EXPECT_EQ(sets().exp2(ball(0, 0)).radius(0, 0), 0);
  EXPECT_GT(sets().exp2(ball(0x1p-149, 0)).radius(0, 0), 0);
  EXPECT_TRUE(unknown(sets().exp2(ball(128, 0))));
  EXPECT_TRUE(unknown(sets().exp2(ball(127, 1))));
  EXPECT_TRUE(unknown(sets().exp2(ball(0, infinity))));
  EXPECT_FALSE(unknown(sets().exp2(ball(-1e30, 0))));
}

// Where the result is subnormal an instruction may flush it, or square 2^(x/2) with its error.
TEST(PowerOfTwo, HoldsTheSquareOfAPoorInstruction) {
  Declared d = declared();
  d.exp_error = 0x1p-12;
  for (double x = -149; x < -126; x += 0.25) {
    const double half = std::exp2(x / 2) * (1 + d.exp_error);
    expect_holds(sets(d).exp2(ball(x, 0)), MatrixF::Constant(1, 1, static_cast<float>(half * half)), "square");
    expect_holds(sets(d).exp2(ball(x, 0)), MatrixF::Zero(1, 1), "flushed");
  }
}

// Far below 2^-149 what is left is 2^-126 e (1 + e) + 2^-149 (docs/pin.md). The code adds 2^-50 to e, which is 2^-27 of
// 2^-149, and a few roundings of double.
TEST(PowerOfTwo, ReachesFromZeroToItsFloorWhereItUnderflows) {
  for (const double e : {0x1p-24, 0x1p-21, 0x1p-12}) {
    Declared d = declared();
    d.exp_error = e;
    const double floor = 0x1p-126 * e * (1 + e) + 0x1p-149;
    for (const double x : {-300.0, -1000.0, -1e30}) {
      const SetBlock set = sets(d).exp2(ball(x, 0));
      EXPECT_LE(set.centre(0, 0) - set.radius(0, 0), 0) << x;
      EXPECT_GE(set.centre(0, 0) + set.radius(0, 0), floor) << x;
      EXPECT_LE(set.centre(0, 0) + set.radius(0, 0), floor * (1 + 0x1p-26)) << x;
    }
  }
}

TEST(Scans, HoldEveryOrderAndNotTheSumOfOtherNumbers) {
  Random random(7);
  for (const Scan scan : {Scan::pieces_of_32, Scan::pieces_of_16, Scan::pairs, Scan::kogge_stone, Scan::sklansky, Scan::sequential}) {
    Declared d = declared();
    d.scan = scan;
    for (const Index n : {1, 2, 17, 64, 100}) {
      const Drawn g = draw(random, n, 5, -8, 2);
      const SetBlock sums = sets(d).scan(g.set);
      expect_holds(sums, bits(d).scan(g.member), "scan");
    }
    const Matrix ones = Matrix::Ones(64, 1);
    EXPECT_FALSE(holds(sets(d).scan(sets().given(ones)), 63, 0, 64.001f));
  }
}

TEST(ScaledSums, HoldEveryContraction) {
  Random random(8);
  for (const auto& [low, high] : {std::pair(-4, 4), {-80, -60}, {-149, -140}, {60, 64}}) {
    const Drawn x = draw(random, 20, 20, low, high), y = draw(random, 20, 20, low, high), s = draw(random, 1, 1, low, high);
    const SetBlock set = sets().scaled_sum(x.set, y.set, s.set);
    for (const OutputSum sum : {OutputSum::first_fused, OutputSum::second_fused, OutputSum::unfused}) {
      Declared d = declared();
      d.output_sum = sum;
      expect_holds(set, bits(d).scaled_sum(x.member, y.member, s.member), "scaled sum");
    }
  }
}

}  // namespace
}  // namespace deltaproof
