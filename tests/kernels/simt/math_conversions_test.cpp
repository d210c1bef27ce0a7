// Conversions to and from bf16 and f16, for every 16-bit number and on both sides of every boundary of rounding.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "kernels/simt/host_math.cuh"
#include "reference/problem/format.hpp"

namespace deltaproof {
namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
float from_bits(std::uint32_t x) { return std::bit_cast<float>(x); }

struct Bf16 {
  using Type = simt::bf16;
  static constexpr std::uint16_t infinity = 0x7f80;
  static double value(std::uint16_t x) { return bf16_to_double(x); }
  static std::uint16_t round(double x) { return double_to_bf16(x); }
};
struct F16 {
  using Type = simt::f16;
  static constexpr std::uint16_t infinity = 0x7c00;
  static double value(std::uint16_t x) { return f16_to_double(x); }
  static std::uint16_t round(double x) { return double_to_f16(x); }
};

template <class T>
class Conversion : public testing::Test {};
using Types = testing::Types<Bf16, F16>;
TYPED_TEST_SUITE(Conversion, Types);

TYPED_TEST(Conversion, OfEveryNumberIsExactBothWays) {
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    const auto element = static_cast<std::uint16_t>(i);
    if ((element & 0x7fff) > TypeParam::infinity) continue;
    const float x = simt::to_float(typename TypeParam::Type{element});
    ASSERT_EQ(bits(x), bits(static_cast<float>(TypeParam::value(element)))) << i;
    ASSERT_EQ(simt::from_float<typename TypeParam::Type>(x).bits, element) << i;
  }
}

TYPED_TEST(Conversion, RoundsToNearestTiesToEven) {
  for (std::uint16_t i = 0; i < TypeParam::infinity; ++i) {
    const double low = TypeParam::value(i);
    // The number after the largest is where infinity would be.
    const double high = i + 1 < TypeParam::infinity ? TypeParam::value(static_cast<std::uint16_t>(i + 1))
                                                    : 2 * low - TypeParam::value(static_cast<std::uint16_t>(i - 1));
    const auto middle = static_cast<float>((low + high) / 2);
    const auto even = static_cast<std::uint16_t>(i % 2 == 0 ? i : i + 1);
    for (const std::uint32_t sign : {0u, 0x8000u}) {
      const auto rounded = [&](std::uint32_t magnitude) {
        return simt::from_float<typename TypeParam::Type>(from_bits(magnitude | sign << 16)).bits;
      };
      ASSERT_EQ(rounded(bits(middle)), even | sign) << i;
      ASSERT_EQ(rounded(bits(middle) - 1), i | sign) << i;
      ASSERT_EQ(rounded(bits(middle) + 1), (i + 1) | sign) << i;
    }
  }
}

TYPED_TEST(Conversion, AgreesWithRoundingOfDoubles) {
  std::mt19937 random(5);
  for (int i = 0; i < 2'000'000; ++i) {
    const float x = from_bits(static_cast<std::uint32_t>(random()));
    if (std::isnan(x)) continue;
    ASSERT_EQ(simt::from_float<typename TypeParam::Type>(x).bits, TypeParam::round(x)) << x;
  }
}

TYPED_TEST(Conversion, HasOneNan) {
  for (const std::uint32_t nan : {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffffffffu}) {
    EXPECT_EQ(simt::from_float<typename TypeParam::Type>(from_bits(nan)).bits, 0x7fff);
  }
}

TEST(ConversionFromNan, KeepsBf16sBitsAndGivesF16sTheOneNan) {
  EXPECT_EQ(bits(simt::to_float(simt::bf16{0xffa5})), 0xffa50000u);
  EXPECT_EQ(bits(simt::to_float(simt::f16{0xfe01})), 0x7fffffffu);
}

}  // namespace
}  // namespace deltaproof
