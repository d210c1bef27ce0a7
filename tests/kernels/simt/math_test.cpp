// The CUDA functions on the host. Their bits on a GPU, for every argument: tests/kernels/device.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "kernels/simt/host_math.cuh"
#include "reference/approximations.hpp"

namespace deltaproof {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t device_nan_bits = 0x7fffffffu;

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
float from_bits(std::uint32_t x) { return std::bit_cast<float>(x); }

/// Every `step`th float of all, NaN included.
template <class Check>
void sweep(std::uint32_t step, const Check& check) {
  for (std::uint64_t i = 0; i < (std::uint64_t{1} << 32); i += step) check(from_bits(static_cast<std::uint32_t>(i)));
}

float fma_towards(int rounding, float x, float y, float z) {
  std::fesetround(rounding);
  const volatile float result = std::fma(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

/// expf as the PTX of nvcc 13 has it, an instruction a line, constants as it prints them.
float expf_in_ptx(float f1) {
  const float f4 = std::fma(f1, from_bits(0x3BBB989D), from_bits(0x3F000000));
  const float f5 = std::isnan(f4) ? 0.0f : std::fmin(std::fmax(f4, 0.0f), 1.0f);  // cvt.sat
  const float f8 = fma_towards(FE_DOWNWARD, f5, from_bits(0x437C0000), from_bits(0x4B400001));
  const float f9 = f8 + from_bits(0xCB40007F);
  const float f12 = std::fma(f1, from_bits(0x3FB8AA3B), -f9);
  const float f14 = std::fma(f1, from_bits(0x32A57060), f12);
  const float f15 = from_bits(bits(f8) << 23);
  return ex2_approx_ftz(f14) * f15;
}

TEST(Expf, FollowsTheCompilersExpansion) {
  std::int64_t compared = 0;
  sweep(1021, [&](float x) {
    ++compared;
    ASSERT_EQ(bits(expf(x)), bits(expf_in_ptx(x))) << x;
  });
  EXPECT_GT(compared, 4'000'000);
}

// Against the mathematics: 2 units in the last place, as the CUDA documentation promises.
TEST(Expf, IsNearTheExponential) {
  sweep(4093, [](float x) {
    const double exact = std::exp(static_cast<double>(x));
    if (!(exact >= 0x1p-126 && exact < 0x1p128)) return;
    const double unit = std::ldexp(1.0, std::ilogb(exact) - 23);
    ASSERT_LE(std::abs(expf(x) - exact), 2 * unit) << x;
  });
}

TEST(Expf, SpecialNumbers) {
  EXPECT_EQ(expf(0.0f), 1.0f);
  EXPECT_EQ(expf(-infinity), 0.0f);
  EXPECT_EQ(expf(infinity), infinity);
  EXPECT_EQ(expf(89.0f), infinity);
  EXPECT_EQ(expf(-104.0f), 0.0f);
  EXPECT_GT(expf(-103.0f), 0.0f);  // subnormal, not flushed
  EXPECT_EQ(bits(expf(nan)), device_nan_bits);
}

TEST(Exp2f, ScalesArgumentsWithSubnormalResults) {
  sweep(65'521, [](float x) { ASSERT_EQ(bits(exp2f(x)), bits(ex2_approx(x))); });
  EXPECT_EQ(exp2f(-128.0f), 0x1p-128f);
  EXPECT_EQ(simt::exp2_approx_ftz(-128.0f), 0.0f);
  EXPECT_EQ(exp2f(-148.0f), 0x1p-148f);
}

TEST(FastExpf, RoundsTheProductWithLog2OfE) {
  sweep(65'521, [](float x) { ASSERT_EQ(bits(__expf(x)), bits(ex2_approx(x * from_bits(0x3FB8AA3B)))); });
  EXPECT_EQ(bits(__expf(nan)), device_nan_bits);
}

TEST(Rsqrtf, IsTheApproximation) {
  sweep(65'521, [](float x) { ASSERT_EQ(bits(rsqrtf(x)), bits(rsqrt_approx(x))); });
  EXPECT_EQ(rsqrtf(0x1p-130f), 0x1p65f);
  EXPECT_EQ(simt::rsqrt_approx_ftz(0x1p-130f), infinity);
}

TEST(Approximations, AreThoseOfTheReference) {
  sweep(65'521, [](float x) {
    ASSERT_EQ(bits(simt::exp2_approx(x)), bits(ex2_approx(x)));
    ASSERT_EQ(bits(simt::exp2_approx_ftz(x)), bits(ex2_approx_ftz(x)));
    ASSERT_EQ(bits(simt::rsqrt_approx(x)), bits(rsqrt_approx(x)));
    ASSERT_EQ(bits(simt::rsqrt_approx_ftz(x)), bits(rsqrt_approx_ftz(x)));
    ASSERT_EQ(bits(simt::rcp_approx(x)), bits(rcp_approx(x)));
    ASSERT_EQ(bits(simt::rcp_approx_ftz(x)), bits(rcp_approx_ftz(x)));
  });
}

TEST(FrcpRn, IsTheCorrectlyRoundedReciprocal) {
  int unlike_approximation = 0;
  sweep(4093, [&](float x) {
    const double exact = 1 / static_cast<double>(x);
    // Rounding twice is harmless here unless the result is subnormal.
    if (std::abs(exact) >= 0x1p-126 || exact == 0) {
      ASSERT_EQ(bits(__frcp_rn(x)), bits(static_cast<float>(exact))) << x;
    }
    unlike_approximation += bits(__frcp_rn(x)) != bits(rcp_approx(x));
  });
  EXPECT_GT(unlike_approximation, 1000);
  EXPECT_EQ(__frcp_rn(0x1.8p127f), from_bits(0x2aaaab));  // subnormal: 2^23 / 3, to nearest
  EXPECT_EQ(__frcp_rn(-0.0f), -infinity);
  EXPECT_EQ(bits(__frcp_rn(nan)), device_nan_bits);
}

TEST(Fdividef, IsNumeratorTimesApproximateReciprocal) {
  EXPECT_EQ(__fdividef(3.0f, 4.0f), 0.75f);
  EXPECT_EQ(bits(__fdividef(1.1f, 3.3f)), bits(rcp_approx_ftz(3.3f) * 1.1f));
  EXPECT_EQ(__fdividef(0x1p-130f, 0x1p-130f), 1.0f);
  EXPECT_EQ(__fdividef(0x1p126f, 0x1.8p126f), 0.0f);  // documented: 0 for divisors beyond 2^126
  EXPECT_EQ(bits(__fdividef(infinity, 0x1.8p126f)), device_nan_bits);
  EXPECT_EQ(bits(__fdividef(0.0f, 0.0f)), device_nan_bits);
  EXPECT_EQ(__fdividef(-1.0f, 0.0f), -infinity);
}

TEST(MinimumAndMaximum, PreferNumbersAndOrderZeros) {
  EXPECT_EQ(fminf(1.0f, nan), 1.0f);
  EXPECT_EQ(fmaxf(nan, -1.0f), -1.0f);
  EXPECT_EQ(bits(fminf(nan, nan)), device_nan_bits);
  EXPECT_EQ(bits(fmaxf(nan, nan)), device_nan_bits);
  for (const bool swap : {false, true}) {
    const float a = swap ? -0.0f : 0.0f, b = -a;
    EXPECT_EQ(bits(fminf(a, b)), bits(-0.0f));
    EXPECT_EQ(bits(fmaxf(a, b)), bits(0.0f));
  }
  EXPECT_EQ(fminf(-2.0f, 1.0f), -2.0f);
  EXPECT_EQ(fmaxf(-2.0f, infinity), infinity);
  EXPECT_EQ(min(2, -3), -3);
  EXPECT_EQ(max(2u, 3000000000u), 3000000000u);
  EXPECT_EQ(max(-1.0f, nan), -1.0f);
}

TEST(Bits, AreReinterpreted) {
  EXPECT_EQ(__float_as_uint(-0.0f), 0x80000000u);
  EXPECT_EQ(__float_as_int(1.0f), 0x3f800000);
  EXPECT_EQ(__uint_as_float(0x3f800000u), 1.0f);
  EXPECT_EQ(__int_as_float(-0x7fffffff - 1), 0.0f);
  EXPECT_EQ(__popc(0xf0f0u), 8);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__ffs(0), 0);
}

#define TEXT_OF(...) #__VA_ARGS__
#define EXPANDED(...) TEXT_OF(__VA_ARGS__)

// The C library's bits would not be the device's: such a call must not compile.
TEST(FunctionsWithoutTwin, AreNotTakenFromTheCLibrary) {
  const std::string logarithm = EXPANDED(logf(x)), power = EXPANDED(powf(x, y)), exponential = EXPANDED(expf(x));
  EXPECT_EQ(logarithm, "simt_no_host_twin_of_logf(x)");
  EXPECT_EQ(power, "simt_no_host_twin_of_powf(x, y)");
  EXPECT_EQ(exponential, "::simt::cuda_expf(x)");
}

}  // namespace
}  // namespace deltaproof
