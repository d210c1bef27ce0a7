// 2^x of sets holds what every instruction may give, and little more.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/reference/arithmetic/set_members.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

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

}  // namespace
}  // namespace deltaproof
