// The wide formats, on doubles of every exponent: against the processor, and against a second
// route.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/problem/format.hpp"

namespace deltaproof {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Doubles near and beyond the range of `format`: exponent uniform, mantissa with few or many bits,
/// so that ties and powers of two are common.
rc::Gen<std::vector<double>> doubles_around(const Format& format) {
  const int low = std::max(format.min_exponent - format.significant_bits - 4, -1022);
  const int high = std::min(format.max_exponent + 2, 1023);
  const auto make = [](int exponent, std::uint64_t mantissa, int zeros, bool negative) {
    const std::uint64_t kept = (mantissa & ((std::uint64_t{1} << 52) - 1)) >> zeros << zeros;
    const double x =
        std::bit_cast<double>((static_cast<std::uint64_t>(exponent + 1023) << 52) | kept);
    return negative ? -x : x;
  };
  return rc::gen::container<std::vector<double>>(
      300,
      rc::gen::apply(make, rc::gen::inRange(low, high + 1), rc::gen::arbitrary<std::uint64_t>(),
                     rc::gen::inRange(0, 53), rc::gen::arbitrary<bool>()));
}

/// x as an integer multiple of the format's spacing at |x|, and that spacing; both exact.
std::pair<double, int> in_spacings(const Format& format, double x) {
  const int exponent = x == 0 ? format.min_exponent : std::max(std::ilogb(x), format.min_exponent);
  const int spacing = exponent - format.significant_bits + 1;
  return {std::ldexp(x, -spacing), spacing};
}

double largest(const Format& format) {
  return std::ldexp(2 - std::ldexp(1, 1 - format.significant_bits), format.max_exponent);
}

double nearest_by_scaling(const Format& format, double x) {
  const auto [count, spacing] = in_spacings(format, x);
  const double rounded = std::ldexp(std::nearbyint(count), spacing);
  return std::fabs(rounded) > largest(format) ? std::copysign(kInfinity, x) : rounded;
}

double towards_zero_by_scaling(const Format& format, double x) {
  if (std::fabs(x) > largest(format)) return std::copysign(largest(format), x);
  const auto [count, spacing] = in_spacings(format, x);
  return std::ldexp(std::trunc(count), spacing);
}

bool same_bits(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

class EveryFormat : public ::testing::TestWithParam<Format> {};

TEST_P(EveryFormat, RoundsAsScalingToIntegersDoes) {
  const Format format = GetParam();
  EXPECT_TRUE(rc::check([&] {
    for (const double x : *doubles_around(format)) {
      RC_ASSERT(same_bits(round_to_nearest_even(format, x), nearest_by_scaling(format, x)));
      RC_ASSERT(same_bits(round_towards_zero(format, x), towards_zero_by_scaling(format, x)));
    }
  }));
}

TEST_P(EveryFormat, ErrorOfRoundingIsAtMostHalfUlpOfEither) {
  const Format format = GetParam();
  EXPECT_TRUE(rc::check([&] {
    for (const double x : *doubles_around(format)) {
      const double rounded = round_to_nearest_even(format, x);
      const double error = std::fabs(rounded - x);  // exact: a difference of neighbours
      RC_ASSERT(error <= half_ulp(format, x));
      RC_ASSERT(error <= half_ulp(format, rounded));
      RC_ASSERT(std::isinf(rounded) == std::isinf(half_ulp(format, x)));
    }
  }));
}

TEST_P(EveryFormat, HalfUlpIsHalfTheGapToTheNextNumber) {
  const Format format = GetParam();
  if (format.significant_bits == 53) {  // half the gap can be no double; powers of two are scaled
    for (const double x : {1.0, 1.5, 0x1p-960, 0x1.fp1000})
      EXPECT_EQ(half_ulp(format, x), (std::nextafter(x, kInfinity) - x) / 2);
    for (const double x : {0.0, 0x1p-1074, 0x1p-1022, 0x1.8p-1022})
      EXPECT_EQ(half_ulp(format, x), 0x1p-1074);
    EXPECT_EQ(half_ulp(format, std::numeric_limits<double>::max()), 0x1p970);
    return;
  }
  EXPECT_TRUE(rc::check([&] {
    for (const double y : *doubles_around(format)) {
      const double x = towards_zero_by_scaling(format, std::fabs(y));
      const auto [count, spacing] = in_spacings(format, x);
      const double next = std::ldexp(count + 1, spacing);
      RC_ASSERT(half_ulp(format, x) == (next - x) / 2);
      RC_ASSERT(half_ulp(format, -x) == (next - x) / 2);
    }
  }));
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat,
                         ::testing::Values(formats::bf16, formats::f16, formats::tf32, formats::f32,
                                           formats::f64),
                         [](const auto& tested) { return std::string(tested.param.name); });

RC_GTEST_PROP(F32, RoundsAsTheProcessorDoes, ()) {
  for (const double x : *doubles_around(formats::f32))
    RC_ASSERT(same_bits(round_to_nearest_even(formats::f32, x),
                        static_cast<double>(static_cast<float>(x))));
}

RC_GTEST_PROP(Tf32, TruncationDropsThirteenBitsOfAFloat, ()) {
  for (const double y : *doubles_around(formats::f32)) {
    const auto x = static_cast<float>(y);
    if (std::isinf(x)) continue;
    const std::uint32_t kept = std::bit_cast<std::uint32_t>(x) & ~std::uint32_t{0x1fff};
    RC_ASSERT(same_bits(round_towards_zero(formats::tf32, x),
                        static_cast<double>(std::bit_cast<float>(kept))));
  }
}

TEST(Tiny, DoublesBelowEveryFormatRoundToSignedZero) {
  for (const Format& format : {formats::bf16, formats::f16, formats::tf32, formats::f32})
    for (const double x : {0x1p-1074, -0x1p-1074, 0x1p-1022, -0.0}) {
      EXPECT_TRUE(same_bits(round_to_nearest_even(format, x), std::copysign(0.0, x)));
      EXPECT_TRUE(same_bits(round_towards_zero(format, x), std::copysign(0.0, x)));
    }
}

// f16 with its exponents moved down until its subnormal numbers are those of double: scaling by 2^-1006 commutes with
// rounding, and is exact for multiples of 2^-26.
TEST(Tiny, SubnormalDoublesRoundWithinAFormatThatReachesThem) {
  const Format low{"f16 x 2^-1006", 11, formats::f16.min_exponent - 1006, formats::f16.max_exponent - 1006};
  for (int n = 0; n <= 1 << 14; ++n) {
    const double x = std::ldexp(n, -26), scaled = std::ldexp(x, -1006);
    EXPECT_EQ(round_to_nearest_even(low, scaled), std::ldexp(round_to_nearest_even(formats::f16, x), -1006)) << n;
    EXPECT_EQ(round_towards_zero(low, scaled), std::ldexp(round_towards_zero(formats::f16, x), -1006)) << n;
  }
}

}  // namespace
}  // namespace deltaproof
