#include "reference/approximations.hpp"

#include <bit>
#include <cstdint>

namespace deltaproof {
namespace {

// The unit evaluates C0 + C1 x + C2 x^2 in fixed point, with a truncated square, and cuts the sum:
//   S = floor((C0 2^s0 + C1 x + s2 C2 square(x) + bias) / 2^shift),  2^23 <= S <= 2^24.
// S is the result's significand; 2^24 carries into the exponent. Shape: M. Koscielnicki, envytools,
// for an older unit. Equal to an H200 on every argument of each of the six instructions.

constexpr std::uint32_t sign_bit = 0x80000000u;
constexpr std::uint32_t fraction_mask = 0x7fffffu;
constexpr std::uint32_t infinity_bits = 0x7f800000u;
constexpr std::uint32_t implicit_one = 1u << 23;

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// The one NaN of these instructions.
float unit_nan() { return from_bits(0x7fffffffu); }

/// About x^2 2^-19 of a 17-bit x = 512 h + l: floor(h^2 / 2), and of the partial products h_k l_i
/// of h l 2^-9 those that are whole.
constexpr std::uint32_t square(std::uint32_t x) {
  const std::uint32_t high = x >> 9, low = x & 0x1ff;
  std::uint32_t sum = high * high / 2;
  for (std::uint32_t k = 1; k < 8; ++k) sum += (0u - (high >> k & 1)) & (low >> (9 - k));
  return sum;
}

/// S of 2^(fraction 2^-23).
std::uint32_t ex2_significand(std::uint32_t fraction, const QuadraticSegment* segments) {
  const QuadraticSegment& segment = segments[fraction >> 17];
  const std::uint64_t x = fraction & 0x1ffff;
  const std::uint64_t sum = (std::uint64_t{segment.c0} << 13) + segment.c1 * x +
                            std::uint64_t{segment.c2 * square(static_cast<std::uint32_t>(x))} +
                            0x77e2;
  return static_cast<std::uint32_t>(sum >> 15);
}

/// S of 2 / sqrt(y), 1 <= y < 4: `odd` chooses the half, `fraction` is that of y or y / 2.
std::uint32_t rsqrt_significand(std::uint32_t odd, std::uint32_t fraction,
                                const QuadraticSegment* segments) {
  if (odd == 0 && fraction == 0) return 2 * implicit_one;  // powers of 4 are exact
  const QuadraticSegment& segment = segments[odd << 6 | fraction >> 17];
  const std::uint64_t x = fraction & 0x1ffff;
  const std::uint64_t sum = (std::uint64_t{segment.c0} << 14) - segment.c1 * x +
                            4 * std::uint64_t{segment.c2 * square(static_cast<std::uint32_t>(x))} +
                            0x7fff;
  return static_cast<std::uint32_t>(sum >> 16);
}

/// S of 2 / y, y = 1 + fraction 2^-23.
std::uint32_t rcp_significand(std::uint32_t fraction, const QuadraticSegment* segments) {
  const QuadraticSegment& segment = segments[fraction >> 16];
  const std::uint64_t x = fraction & 0xffff;
  const std::uint64_t sum = (std::uint64_t{segment.c0} << 13) - segment.c1 * x +
                            std::uint64_t{segment.c2 * square(static_cast<std::uint32_t>(2 * x))} +
                            0x47e7;
  return static_cast<std::uint32_t>(sum >> 15);
}

/// |x| 2^23 without its fraction, |x| < 128.
std::uint32_t fixed_point(std::uint32_t magnitude) {
  const std::uint32_t exponent = magnitude >> 23;
  const std::uint32_t significand = (magnitude & fraction_mask) | implicit_one;
  if (exponent >= 127) return significand << (exponent - 127);
  return exponent + 24 <= 127 ? 0 : significand >> (127 - exponent);
}

float ex2_unit(float x, const QuadraticSegment* segments) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & ~sign_bit;
  const bool negative = (bits & sign_bit) != 0;
  if (magnitude >= 0x43000000u) {  // |x| >= 128
    if (magnitude > infinity_bits) return unit_nan();
    return negative ? 0.0f : from_bits(infinity_bits);
  }
  const std::uint32_t fixed = fixed_point(magnitude);
  auto power = static_cast<std::int32_t>(fixed >> 23);
  std::uint32_t fraction = fixed & fraction_mask;
  if (negative) {
    power = -power;
    if (fraction != 0) {
      power -= 1;
      fraction ^= fraction_mask;  // one's complement: 2^-23 less than -|x| has
    }
  }
  if (power < -126) return 0.0f;  // no fraction below -126 is large enough to carry
  const std::uint32_t significand = ex2_significand(fraction, segments);
  return from_bits((static_cast<std::uint32_t>(power + 126) << 23) + significand);
}

float rsqrt_unit(float x, const QuadraticSegment* segments) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & ~sign_bit;
  if (magnitude > infinity_bits) return unit_nan();
  if (magnitude < implicit_one) return from_bits((bits & sign_bit) | infinity_bits);
  if ((bits & sign_bit) != 0) return unit_nan();
  if (magnitude == infinity_bits) return 0.0f;
  const std::uint32_t exponent = magnitude >> 23;
  const std::uint32_t odd = ~exponent & 1;  // the bias is odd
  const std::uint32_t significand = rsqrt_significand(odd, magnitude & fraction_mask, segments);
  // x = y 4^h: the field of 2^(-h - 1) less the one that the significand's leading bit adds.
  const std::uint32_t field = 125 - ((exponent - odd) / 2 - 63);
  return from_bits((field << 23) + significand);
}

float rcp_unit(float x, const QuadraticSegment* segments) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits & sign_bit;
  const std::uint32_t magnitude = bits ^ sign;
  if (magnitude > infinity_bits) return unit_nan();
  if (magnitude < implicit_one) return from_bits(sign | infinity_bits);
  const std::uint32_t exponent = magnitude >> 23;
  if (exponent > 253) return from_bits(sign);  // below 2^-126
  const std::uint32_t significand = rcp_significand(magnitude & fraction_mask, segments);
  // 2^(126 - e) has the field 253 - e, of which the significand's leading bit adds one.
  if (exponent == 253) return from_bits(sign | (significand >> 24 << 23));
  return from_bits(sign | (((252 - exponent) << 23) + significand));
}

}  // namespace

float ex2_approx_ftz(float x) { return ex2_unit(x, ex2_segments.data()); }
float rsqrt_approx_ftz(float x) { return rsqrt_unit(x, rsqrt_segments.data()); }
float rcp_approx_ftz(float x) { return rcp_unit(x, rcp_segments.data()); }

float ex2_approx(float x) {
  if (!(x < -126)) return ex2_approx_ftz(x);
  const float half = ex2_approx_ftz(x * 0.5f);
  return half * half;
}

float rsqrt_approx(float x) {
  if (!(x < 0x1p-126f && x > -0x1p-126f)) return rsqrt_approx_ftz(x);
  return rsqrt_approx_ftz(x * 0x1p24f) * 0x1p12f;
}

float rcp_approx(float x) {
  if (x > 0x1p126f || x < -0x1p126f) return rcp_approx_ftz(x * 0.25f) * 0.25f;
  if (x < 0x1p-126f && x > -0x1p-126f) return rcp_approx_ftz(x * 0x1p24f) * 0x1p24f;
  return rcp_approx_ftz(x);
}

float ex2_approx_ftz(float x, std::span<const QuadraticSegment, 64> segments) {
  return ex2_unit(x, segments.data());
}
float rsqrt_approx_ftz(float x, std::span<const QuadraticSegment, 128> segments) {
  return rsqrt_unit(x, segments.data());
}
float rcp_approx_ftz(float x, std::span<const QuadraticSegment, 128> segments) {
  return rcp_unit(x, segments.data());
}

}  // namespace deltaproof
