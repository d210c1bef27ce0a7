#pragma once

#include <cstdint>
#include <string_view>

namespace deltaproof {

/// A binary floating-point format, as far as rounding error is concerned.
struct Format {
  std::string_view name;
  int significant_bits;  ///< p, the hidden bit counted
  int min_exponent;      ///< exponent of the smallest normal number, 2^min_exponent
  int max_exponent;      ///< exponent of the largest finite number

  friend constexpr bool operator==(const Format& x, const Format& y) { return x.name == y.name; }
};

namespace formats {
inline constexpr Format bf16{"bf16", 8, -126, 127};
inline constexpr Format f16{"f16", 11, -14, 15};
inline constexpr Format tf32{"tf32", 11, -126, 127};
inline constexpr Format f32{"f32", 24, -126, 127};
inline constexpr Format f64{"f64", 53, -1022, 1023};
}  // namespace formats

/// Unit roundoff 2^-p of rounding to nearest (bf16 has p = 8, so 2^-8: error-bound notes, 9.1).
double unit_roundoff(const Format& format);

/// Half the spacing of `format` at |x|, 2^(e-p) for 2^e <= |x| < 2^(e+1): no |round(y) - y| with
/// |y| <= |x|, rounding to nearest, is larger, and none with |round(y)| <= |x| either (hence the
/// wider spacing at a power of two). Below the smallest normal number, half the subnormal spacing;
/// infinite where rounding overflows; NaN -> NaN. f64 counts as a format like the others (where
/// half its spacing is no double, 2^-1074).
double half_ulp(const Format& format, double x);

/// `x` rounded to nearest, ties to even; overflows to infinity. NaN stays NaN, zero keeps its sign.
double round_to_nearest_even(const Format& format, double x);

/// `x` rounded towards zero: what is too large becomes the largest finite number; infinity stays.
double round_towards_zero(const Format& format, double x);

/// Exact value of stored bits.
double bf16_to_double(std::uint16_t bits);
double f16_to_double(std::uint16_t bits);

/// Nearest-even rounding to stored bits; NaN becomes a quiet NaN.
std::uint16_t double_to_bf16(double x);
std::uint16_t double_to_f16(double x);

}  // namespace deltaproof
