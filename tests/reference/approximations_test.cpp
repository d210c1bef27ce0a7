#include "reference/approximations.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace deltaproof {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();
constexpr float below_normal = 0x1.fffffcp-127f;  // the largest subnormal number
constexpr float smallest = 0x1p-149f;

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

float after(float x) { return std::nextafter(x, infinity); }
float before(float x) { return std::nextafter(x, -infinity); }

/// `x` takes part in the messages; zeros are told apart by their sign.
void expect_bits(float computed, float expected, float x) {
  EXPECT_EQ(bits(computed), bits(expected)) << computed << " is not " << expected << " at " << x;
}

template <std::size_t n>
void expect_equal(const std::array<QuadraticSegment, n>& ours, const nlohmann::json& recorded) {
  ASSERT_EQ(recorded.size(), n);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(recorded[i], (nlohmann::json{ours[i].c0, ours[i].c1, ours[i].c2})) << "segment " << i;
  }
}

TEST(ApproximationTables, AreTheRecordedOnes) {
  std::ifstream file(std::string(DELTAPROOF_SOURCE_DIR) +
                     "/golden/vectors/approx_h200/approx_tables.json");
  const auto recorded = nlohmann::json::parse(file);
  expect_equal(ex2_segments, recorded.at("ex2"));
  expect_equal(rsqrt_segments, recorded.at("rsq"));
  expect_equal(rcp_segments, recorded.at("rcp"));
}

TEST(Approximations, GiveOneNan) {
  for (const std::uint32_t pattern :
       {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffc00000u, 0xffffffffu}) {
    const float x = std::bit_cast<float>(pattern);
    for (const float result : {ex2_approx(x), ex2_approx_ftz(x), rsqrt_approx(x),
                               rsqrt_approx_ftz(x), rcp_approx(x), rcp_approx_ftz(x)}) {
      EXPECT_EQ(bits(result), 0x7fffffffu) << std::hex << pattern;
    }
  }
}

TEST(Ex2, OverflowsAt128AndVanishesAtItsNegative) {
  for (const float x : {128.0f, after(128.0f), 1e30f, largest, infinity}) {
    expect_bits(ex2_approx(x), infinity, x);
    expect_bits(ex2_approx_ftz(x), infinity, x);
    expect_bits(ex2_approx_ftz(-x), 0.0f, -x);
    if (x > 150) expect_bits(ex2_approx(-x), 0.0f, -x);
  }
  expect_bits(ex2_approx_ftz(127.0f), 0x1p127f, 127.0f);
  EXPECT_TRUE(std::isfinite(ex2_approx_ftz(before(128.0f))));
}

TEST(Ex2, IsOneBelowTheUnitsResolution) {
  for (int exponent = -150; exponent < -23; ++exponent) {
    for (const float x : {std::ldexp(1.0f, exponent), before(std::ldexp(1.0f, exponent + 1))}) {
      for (const float signed_x : {x, -x}) {
        expect_bits(ex2_approx(signed_x), 1.0f, signed_x);
        expect_bits(ex2_approx_ftz(signed_x), 1.0f, signed_x);
      }
    }
  }
}

TEST(Ex2, OfWholeNumbersIsExact) {
  for (int n = -126; n < 128; ++n) {
    const auto x = static_cast<float>(n);
    expect_bits(ex2_approx(x), std::ldexp(1.0f, n), x);
    expect_bits(ex2_approx_ftz(x), std::ldexp(1.0f, n), x);
  }
}

TEST(Ex2, SubnormalResultsAreZeroOnlyWithFtz) {
  for (const float x : {before(-126.0f), -126.5f, -127.0f, before(-127.0f)}) {
    expect_bits(ex2_approx_ftz(x), 0.0f, x);
    const float half = ex2_approx_ftz(x / 2);
    EXPECT_NEAR(ex2_approx(x), double{half} * half, 0x1p-150) << x;
    EXPECT_GT(ex2_approx(x), 0) << x;
  }
  for (int n = -148; n < -126; n += 2) {
    const auto x = static_cast<float>(n);
    expect_bits(ex2_approx(x), std::ldexp(1.0f, n), x);
  }
  // Odd powers are not exact: they come from the square of 2^(n / 2).
  expect_bits(ex2_approx(-127.0f), before(0x1p-127f), -127.0f);
  expect_bits(ex2_approx(after(-150.0f)), smallest, after(-150.0f));
  expect_bits(ex2_approx(-150.0f), 0.0f, -150.0f);  // half of the smallest number: to even
}

TEST(Rsqrt, SpecialArguments) {
  for (const auto rsqrt :
       {+[](float x) { return rsqrt_approx(x); }, +[](float x) { return rsqrt_approx_ftz(x); }}) {
    expect_bits(rsqrt(0.0f), infinity, 0.0f);
    expect_bits(rsqrt(-0.0f), -infinity, -0.0f);
    expect_bits(rsqrt(infinity), 0.0f, infinity);
    for (const float x : {-0x1p-126f, -1.0f, -largest, -infinity}) {
      EXPECT_EQ(bits(rsqrt(x)), 0x7fffffffu) << x;
    }
  }
}

TEST(Rsqrt, SubnormalArgumentsAreZerosOnlyWithFtz) {
  for (const float x : {smallest, 0x1.8p-140f, 0x1p-127f, below_normal}) {
    expect_bits(rsqrt_approx_ftz(x), infinity, x);
    expect_bits(rsqrt_approx_ftz(-x), -infinity, -x);
    EXPECT_EQ(bits(rsqrt_approx(-x)), 0x7fffffffu) << -x;
    const double exact = 1 / std::sqrt(double{x});
    EXPECT_NEAR(rsqrt_approx(x), exact, exact * rsqrt_approx_relative_error_h200) << x;
  }
}

TEST(Rsqrt, OfPowersOfFourIsExact) {
  for (int n = -63; n < 64; ++n) {
    const float x = std::ldexp(1.0f, 2 * n);
    expect_bits(rsqrt_approx(x), std::ldexp(1.0f, -n), x);
    expect_bits(rsqrt_approx_ftz(x), std::ldexp(1.0f, -n), x);
  }
  for (int n = -74; n < -63; ++n) {
    expect_bits(rsqrt_approx(std::ldexp(1.0f, 2 * n)), std::ldexp(1.0f, -n),
                std::ldexp(1.0f, 2 * n));
  }
}

TEST(Rcp, ZerosAndInfinitiesKeepTheirSign) {
  for (const auto rcp :
       {+[](float x) { return rcp_approx(x); }, +[](float x) { return rcp_approx_ftz(x); }}) {
    expect_bits(rcp(0.0f), infinity, 0.0f);
    expect_bits(rcp(-0.0f), -infinity, -0.0f);
    expect_bits(rcp(infinity), 0.0f, infinity);
    expect_bits(rcp(-infinity), -0.0f, -infinity);
  }
}

TEST(Rcp, OfPowersOfTwoIsExact) {
  for (int n = -126; n <= 126; ++n) {
    const float x = std::ldexp(1.0f, n);
    for (const float signed_x : {x, -x}) {
      expect_bits(rcp_approx(signed_x), 1 / signed_x, signed_x);
      expect_bits(rcp_approx_ftz(signed_x), 1 / signed_x, signed_x);
    }
  }
}

TEST(Rcp, SubnormalArgumentsAreZerosOnlyWithFtz) {
  for (const float x : {smallest, 0x1p-128f, after(0x1p-128f), 0x1p-127f, below_normal}) {
    expect_bits(rcp_approx_ftz(x), infinity, x);
    expect_bits(rcp_approx_ftz(-x), -infinity, -x);
    const double exact = 1 / double{x};
    if (exact >= 0x1p128) {
      expect_bits(rcp_approx(x), infinity, x);
      expect_bits(rcp_approx(-x), -infinity, -x);
      continue;
    }
    EXPECT_NEAR(rcp_approx(x), exact, exact * rcp_approx_relative_error_h200) << x;
    EXPECT_NEAR(rcp_approx(-x), -exact, exact * rcp_approx_relative_error_h200) << -x;
  }
}

TEST(Rcp, SubnormalResultsAreZeroOnlyWithFtz) {
  for (const float x : {after(0x1p126f), 0x1.8p126f, 0x1p127f, after(0x1p127f), largest}) {
    expect_bits(rcp_approx_ftz(x), 0.0f, x);
    expect_bits(rcp_approx_ftz(-x), -0.0f, -x);
    const double exact = 1 / double{x};
    const double bound = exact * rcp_approx_relative_error_h200 + 0x1p-150;
    EXPECT_NEAR(rcp_approx(x), exact, bound) << x;
    EXPECT_NEAR(rcp_approx(-x), -exact, bound) << -x;
  }
  expect_bits(rcp_approx(0x1p127f), 0x1p-127f, 0x1p127f);
}

}  // namespace
}  // namespace deltaproof
