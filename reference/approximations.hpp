#pragma once

#include <span>

#include "reference/approximation_tables.hpp"

namespace deltaproof {

// The approximate instructions of an NVIDIA H200 (sm_90), to the bit, NaN included (0x7fffffff).
// The _ftz forms take subnormal arguments as zeros of their sign and give zeros for subnormal
// results; the others are what the compiler expands the instruction without .ftz into.

/// 2^x: ex2.approx.f32 and ex2.approx.ftz.f32.
float ex2_approx(float x);
float ex2_approx_ftz(float x);
/// 1 / sqrt(x): rsqrt.approx.f32 and rsqrt.approx.ftz.f32. Zeros give infinities of their sign.
float rsqrt_approx(float x);
float rsqrt_approx_ftz(float x);
/// 1 / x: rcp.approx.f32 and rcp.approx.ftz.f32. Zeros give infinities of their sign.
float rcp_approx(float x);
float rcp_approx_ftz(float x);

// Largest relative errors on an H200 over every argument, rounded up, where the result is normal.
// PTX promises less. Without .ftz a subnormal result of ex2 has twice its error, and every
// subnormal result 2^-150 more from its rounding.
inline constexpr double ex2_approx_relative_error_h200 = 0x1.393174p-23;    // 2^-22.709
inline constexpr double rsqrt_approx_relative_error_h200 = 0x1.0bb93dp-23;  // 2^-22.935
inline constexpr double rcp_approx_relative_error_h200 = 0x1.a628d9p-24;    // 2^-23.278

/// The same with other coefficients in place of the unit's, as a test of the tables needs it.
float ex2_approx_ftz(float x, std::span<const QuadraticSegment, 64> segments);
float rsqrt_approx_ftz(float x, std::span<const QuadraticSegment, 128> segments);
float rcp_approx_ftz(float x, std::span<const QuadraticSegment, 128> segments);

}  // namespace deltaproof
