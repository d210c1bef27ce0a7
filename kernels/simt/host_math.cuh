#pragma once

// The arithmetic of the device for kernels compiled for the host, to the bit: what nvcc 13 makes of the CUDA
// spellings with -ftz=false -prec-div=true -prec-sqrt=true -fmad=false. Expansions and evidence: docs/host-math.md.
// + - * / fmaf and sqrtf are IEEE's on both sides, but for the payload of a NaN.

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/simt/math_abi.hpp"
#include "kernels/simt/types.cuh"

namespace simt {

constexpr std::uint32_t float_sign = 0x80000000u;
constexpr std::uint32_t float_infinity = 0x7f800000u;

/// The NaN that arithmetic instructions of the device give.
inline float device_nan() { return std::bit_cast<float>(0x7fffffffu); }
inline float one_nan(float x) { return x == x ? x : device_nan(); }

/// 2^x: ex2.approx(.ftz).f32.
inline float exp2_approx(float x) { return simt_ex2_approx(x); }
inline float exp2_approx_ftz(float x) { return simt_ex2_approx_ftz(x); }
/// 1 / sqrt(x): rsqrt.approx(.ftz).f32.
inline float rsqrt_approx(float x) { return simt_rsqrt_approx(x); }
inline float rsqrt_approx_ftz(float x) { return simt_rsqrt_approx_ftz(x); }
/// 1 / x: rcp.approx(.ftz).f32.
inline float rcp_approx(float x) { return simt_rcp_approx(x); }
inline float rcp_approx_ftz(float x) { return simt_rcp_approx_ftz(x); }

template <class T>
T from_float(float x);

/// cvt.rn.bf16.f32.
template <>
inline bf16 from_float<bf16>(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & ~float_sign) > float_infinity) return {nan_16};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

/// cvt.rn.f16.f32.
template <>
inline f16 from_float<f16>(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & ~float_sign;
  if (magnitude > float_infinity) return {nan_16};
  std::uint32_t half = 0x7c00u;
  if (magnitude < 0x38800000u) {  // below 2^-14: the last place of 0.5f is that of subnormal numbers
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  } else if (magnitude < 0x47800000u) {  // below 2^16: rounding may carry into infinity
    half = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  }
  return {static_cast<std::uint16_t>(sign | half)};
}

inline float to_float(float x) { return x; }
inline float to_float(bf16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }

/// cvt.f32.f16.
inline float to_float(f16 x) {
  const std::uint32_t sign = std::uint32_t{x.bits} >> 15 << 31;
  const std::uint32_t magnitude = x.bits & 0x7fffu;
  if (magnitude > 0x7c00u) return device_nan();
  if (magnitude == 0x7c00u) return std::bit_cast<float>(sign | float_infinity);
  if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
}

template <>
inline float from_float<float>(float x) {
  return x;
}

/// `exp2f`.
inline float cuda_exp2f(float x) { return exp2_approx(x); }
/// `__expf`.
inline float cuda_fast_expf(float x) { return exp2_approx(x * 0x1.715476p+0f); }

/// `expf`: 2^n 2^f, n the integer nearest x / log(2), between -126 and 126.
inline float cuda_expf(float x) {
  const float scaled = __builtin_fmaf(x, 0x1.77313ap-8f, 0.5f);                     // 252 scaled = n + 126
  const float saturated = scaled > 0.0f ? (scaled < 1.0f ? scaled : 1.0f) : 0.0f;  // 0 for NaN
  const auto shifted = static_cast<std::int32_t>(252.0 * double{saturated});        // cut: fma.rm onto 1.5 2^23
  const float n = static_cast<float>(shifted - 126);
  const float f = __builtin_fmaf(x, 0x1.4ae0cp-26f, __builtin_fmaf(x, 0x1.715476p+0f, -n));
  return exp2_approx_ftz(f) * std::bit_cast<float>(static_cast<std::uint32_t>(shifted + 1) << 23);
}

/// min.f32 and max.f32: a number before a NaN, -0 < +0.
inline float cuda_fminf(float a, float b) {
  if (a != a) return one_nan(b);
  if (b != b) return a;
  if (a != b) return a < b ? a : b;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) | std::bit_cast<std::uint32_t>(b));
}
inline float cuda_fmaxf(float a, float b) {
  if (a != a) return one_nan(b);
  if (b != b) return a;
  if (a != b) return a > b ? a : b;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & std::bit_cast<std::uint32_t>(b));
}

}  // namespace simt

inline float rsqrtf(float x) { return simt::rsqrt_approx(x); }
inline float __frcp_rn(float x) { return simt::one_nan(1.0f / x); }

/// div.approx.f32: 0 for 2^126 < |y| < 2^128.
inline float __fdividef(float x, float y) {
  const bool small = y < 0x1p-126f && y > -0x1p-126f;
  const float scale = small ? 0x1p24f : 1.0f;
  return simt::one_nan(simt::rcp_approx_ftz(y * scale) * (x * scale));
}

inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fsub_rn(float x, float y) { return x - y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
inline float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

inline std::uint32_t __float_as_uint(float x) { return std::bit_cast<std::uint32_t>(x); }
inline std::int32_t __float_as_int(float x) { return std::bit_cast<std::int32_t>(x); }
inline float __uint_as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline float __int_as_float(std::int32_t bits) { return std::bit_cast<float>(bits); }
inline int __popc(std::uint32_t x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<std::uint32_t>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }

inline int min(int a, int b) { return b < a ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
inline long min(long a, long b) { return b < a ? b : a; }
inline unsigned long min(unsigned long a, unsigned long b) { return b < a ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
inline float min(float a, float b) { return simt::cuda_fminf(a, b); }
inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
inline long max(long a, long b) { return a < b ? b : a; }
inline unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
inline long long max(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
inline float max(float a, float b) { return simt::cuda_fmaxf(a, b); }

// The C library has functions of these names, with other bits: calls are sent here. (Its headers come first, so
// that their declarations stand.)
#define exp2f(x) ::simt::cuda_exp2f(x)
#define expf(x) ::simt::cuda_expf(x)
#define __expf(x) ::simt::cuda_fast_expf(x)
#define fminf(x, y) ::simt::cuda_fminf(x, y)
#define fmaxf(x, y) ::simt::cuda_fmaxf(x, y)

// Of these the device's bits are not known: a call does not compile.
#define logf(x) simt_no_host_twin_of_logf(x)
#define log2f(x) simt_no_host_twin_of_log2f(x)
#define log10f(x) simt_no_host_twin_of_log10f(x)
#define log1pf(x) simt_no_host_twin_of_log1pf(x)
#define expm1f(x) simt_no_host_twin_of_expm1f(x)
#define exp10f(x) simt_no_host_twin_of_exp10f(x)
#define powf(x, y) simt_no_host_twin_of_powf(x, y)
#define sinf(x) simt_no_host_twin_of_sinf(x)
#define cosf(x) simt_no_host_twin_of_cosf(x)
#define tanhf(x) simt_no_host_twin_of_tanhf(x)
#define erff(x) simt_no_host_twin_of_erff(x)
#define cbrtf(x) simt_no_host_twin_of_cbrtf(x)
#define hypotf(x, y) simt_no_host_twin_of_hypotf(x, y)
