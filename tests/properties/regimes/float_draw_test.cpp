#include "properties/regimes/float_draw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

namespace deltaproof {
namespace {

constexpr Format formats_drawn[] = {formats::bf16, formats::f16, formats::f32};

double power(int exponent) { return std::ldexp(1.0, exponent); }
bool is_power(double x) {
  int exponent = 0;
  return x != 0 && std::frexp(std::abs(x), &exponent) == 0.5;
}
bool is_subnormal(const Format& format, double x) { return x != 0 && std::abs(x) < power(format.min_exponent); }

template <class Check>
void expect_of_every_draw(FloatKind kind, Check check) {
  for (const Format& format : formats_drawn) {
    Generator generator(3, {});
    for (int i = 0; i < 500; ++i) {
      const double x = draw_float(kind, format, format.max_exponent + 1, generator);
      EXPECT_EQ(round_to_nearest_even(format, x), x) << format.name;
      EXPECT_TRUE(check(format, x)) << format.name << ' ' << x;
    }
  }
}

TEST(FloatDraw, KindsAreWhatTheirNamesSay) {
  expect_of_every_draw(FloatKind::zero, [](const Format&, double x) { return x == 0; });
  expect_of_every_draw(FloatKind::smallest_subnormal, [](const Format& f, double x) {
    return std::abs(x) == power(f.min_exponent - f.significant_bits + 1);
  });
  expect_of_every_draw(FloatKind::subnormal, [](const Format& f, double x) { return is_subnormal(f, x); });
  expect_of_every_draw(FloatKind::largest_subnormal, [](const Format& f, double x) {
    return std::abs(x) == power(f.min_exponent) - power(f.min_exponent - f.significant_bits + 1);
  });
  expect_of_every_draw(FloatKind::smallest_normal,
                       [](const Format& f, double x) { return std::abs(x) == power(f.min_exponent); });
  expect_of_every_draw(FloatKind::power_of_two,
                       [](const Format& f, double x) { return is_power(x) && std::abs(x) >= power(f.min_exponent); });
  expect_of_every_draw(FloatKind::largest, [](const Format& f, double x) {
    return std::isfinite(x) && !std::isfinite(round_to_nearest_even(f, x * (1 + unit_roundoff(f))));
  });
  expect_of_every_draw(FloatKind::ordinary,
                       [](const Format& f, double x) { return std::abs(x) >= power(f.min_exponent); });
}

// No number of the format lies between it and a power of two.
TEST(FloatDraw, NeighboursOfPowersAreAnUlpAway) {
  expect_of_every_draw(FloatKind::beside_power_of_two, [](const Format& f, double x) {
    const double size = std::abs(x);
    const double below = std::ldexp(1.0, std::ilogb(size)), above = 2 * below;
    const double up = round_to_nearest_even(f, below + 2 * half_ulp(f, below)) , to_top = above - size;
    return size == up || to_top <= std::max(half_ulp(f, size) * 2, power(f.min_exponent - f.significant_bits + 1));
  });
}

TEST(FloatDraw, EveryKindHasBothSigns) {
  for (const FloatKind kind : kFloatKinds) {
    Generator generator(5, {});
    std::set<bool> signs;
    for (int i = 0; i < 40; ++i) signs.insert(std::signbit(draw_float(kind, formats::bf16, 3, generator)));
    EXPECT_EQ(signs.size(), 2u) << static_cast<int>(kind);
  }
}

TEST(FloatDraw, StaysBelowItsLimitAndComesNear) {
  for (const Format& format : formats_drawn) {
    for (const int limit : {format.min_exponent + 1, -3, 0, 10}) {
      Generator generator(7, {});
      double most = 0;
      for (int i = 0; i < 300; ++i) most = std::max(most, std::abs(draw_float(format, limit, generator)));
      EXPECT_EQ(most, round_towards_zero(format, power(limit) * (1 - 0x1p-30))) << format.name << ' ' << limit;
    }
  }
}

TEST(FloatDraw, RefusesALimitOutsideTheFormat) {
  Generator generator(1, {});
  EXPECT_THROW(draw_float(formats::f16, 17, generator), std::invalid_argument);
  EXPECT_THROW(draw_float(formats::f16, -14, generator), std::invalid_argument);
}

// All kinds of number, among few draws: what a uniform or a normal draw never gives.
TEST(FloatDraw, DrawsEveryKind) {
  Generator generator(9, {});
  int zeros = 0, negative_zeros = 0, subnormals = 0, powers = 0, largest = 0;
  for (int i = 0; i < 200; ++i) {
    const double x = draw_float(formats::f32, 128, generator);
    zeros += x == 0, negative_zeros += x == 0 && std::signbit(x);
    subnormals += is_subnormal(formats::f32, x), powers += is_power(x);
    largest += std::abs(x) == 0x1.fffffep127;
  }
  EXPECT_GT(negative_zeros, 3);
  EXPECT_GT(zeros, negative_zeros);
  EXPECT_GT(subnormals, 20);
  EXPECT_GT(powers, 20);
  EXPECT_GT(largest, 5);
}

TEST(FloatDraw, SubnormalsAreZerosOrSubnormal) {
  for (const Format& format : formats_drawn) {
    Generator generator(9, {});
    int zeros = 0;
    for (int i = 0; i < 200; ++i) {
      const double x = draw_subnormal(format, generator);
      EXPECT_TRUE(x == 0 || is_subnormal(format, x)) << x;
      zeros += x == 0;
    }
    EXPECT_GT(zeros, 10);
    EXPECT_LT(zeros, 100);
  }
}

}  // namespace
}  // namespace deltaproof
