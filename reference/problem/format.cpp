#include "reference/problem/format.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace deltaproof {
namespace {

// Everything works on the bits of the double, so that no result depends on the rounding mode that
// interval arithmetic may have left behind.
constexpr int kMantissaBits = 52;
constexpr int kExponentBias = 1023;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << kMantissaBits;
constexpr std::uint64_t kMantissa = (std::uint64_t{1} << kMantissaBits) - 1;

/// 2^exponent for any exponent of a positive double, subnormals included.
double power_of_two(int exponent) {
  if (exponent >= -1022)
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias)
                                 << kMantissaBits);
  return std::bit_cast<double>(std::uint64_t{1} << (exponent + 1074));
}

/// floor(log2 x) of the magnitude bits of a finite double, but at least -1022.
int exponent_of(std::uint64_t magnitude) {
  const int biased = static_cast<int>(magnitude >> kMantissaBits);
  return biased == 0 ? -1022 : biased - kExponentBias;
}

std::uint64_t largest_finite(const Format& format) {
  const std::uint64_t dropped = (std::uint64_t{1} << (53 - format.significant_bits)) - 1;
  const auto biased = static_cast<std::uint64_t>(format.max_exponent + kExponentBias);
  return (biased << kMantissaBits) | (kMantissa & ~dropped);
}

/// Magnitudes from here on round to infinity: halfway from the largest finite number to 2^(emax+1).
std::uint64_t overflow_threshold(const Format& format) {
  return largest_finite(format) + (std::uint64_t{1} << (52 - format.significant_bits));
}

/// `significand` * 2^-shift rounded to an integer.
std::uint64_t shift_right(std::uint64_t significand, int shift, bool nearest) {
  if (shift > 54) return 0;  // below a quarter of the last place
  const std::uint64_t kept = significand >> shift;
  const std::uint64_t rest = significand - (kept << shift);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const bool up = nearest && (rest > half || (rest == half && (kept & 1) != 0));
  return kept + (up ? 1 : 0);
}

/// Rounds magnitude bits of a finite double that does not overflow; `format` is narrower than f64.
double round_magnitude(const Format& format, std::uint64_t magnitude, bool nearest) {
  const int exponent = exponent_of(magnitude);
  const int dropped = 53 - format.significant_bits;
  if (exponent >= format.min_exponent) {
    // A carry out of the significand moves into the exponent, which is just what it should do.
    return std::bit_cast<double>(shift_right(magnitude, dropped, nearest) << dropped);
  }
  const bool is_normal = magnitude >> kMantissaBits != 0;
  const std::uint64_t significand =
      (magnitude & kMantissa) | (is_normal ? std::uint64_t{1} << kMantissaBits : 0);
  const std::uint64_t units =
      shift_right(significand, dropped + format.min_exponent - exponent, nearest);
  // Exact: `units` has at most `significant_bits` bits and the spacing is a normal double.
  return static_cast<double>(units) *
         power_of_two(format.min_exponent - format.significant_bits + 1);
}

double with_sign(double magnitude, std::uint64_t bits) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | (bits & kSign));
}

}  // namespace

double unit_roundoff(const Format& format) { return power_of_two(-format.significant_bits); }

double half_ulp(const Format& format, double x) {
  const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(x) & ~kSign;
  if (magnitude > kInfinity) return x;
  if (magnitude >= kInfinity ||
      (format.significant_bits < 53 && magnitude >= overflow_threshold(format)))
    return std::numeric_limits<double>::infinity();
  int exponent = exponent_of(magnitude);
  if (exponent < format.min_exponent) exponent = format.min_exponent;
  const int half = exponent - format.significant_bits;
  // Half of f64's smallest spacing is no double; the next larger one is.
  return power_of_two(half < -1074 ? -1074 : half);
}

double round_to_nearest_even(const Format& format, double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t magnitude = bits & ~kSign;
  if (magnitude >= kInfinity || format.significant_bits >= 53) return x;
  if (magnitude >= overflow_threshold(format))
    return with_sign(std::numeric_limits<double>::infinity(), bits);
  return with_sign(round_magnitude(format, magnitude, true), bits);
}

double round_towards_zero(const Format& format, double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t magnitude = bits & ~kSign;
  if (magnitude >= kInfinity || format.significant_bits >= 53) return x;
  if (magnitude >= largest_finite(format))
    return with_sign(std::bit_cast<double>(largest_finite(format)), bits);
  return with_sign(round_magnitude(format, magnitude, false), bits);
}

double bf16_to_double(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

double f16_to_double(std::uint16_t bits) {
  const std::uint64_t sign = static_cast<std::uint64_t>(bits & 0x8000u) << 48;
  const unsigned exponent = (bits >> 10) & 0x1fu;
  const std::uint64_t fraction = bits & 0x3ffu;
  if (exponent == 0) return with_sign(static_cast<double>(fraction) * 0x1p-24, sign);
  const std::uint64_t biased = exponent == 31 ? 0x7ff : exponent - 15 + kExponentBias;
  return std::bit_cast<double>(sign | (biased << kMantissaBits) | (fraction << 42));
}

std::uint16_t double_to_bf16(double x) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000u : 0u);
  if (std::isnan(x)) return sign | 0x7fc0u;
  const auto rounded = static_cast<float>(round_to_nearest_even(formats::bf16, x));  // exact
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(rounded) >> 16);
}

std::uint16_t double_to_f16(double x) {
  const unsigned sign = std::signbit(x) ? 0x8000u : 0u;
  if (std::isnan(x)) return static_cast<std::uint16_t>(sign | 0x7e00u);
  const double magnitude = std::fabs(round_to_nearest_even(formats::f16, x));
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x1p-14)
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(magnitude * 0x1p24));
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
  const auto shifted = static_cast<unsigned>((bits >> 42) - ((std::uint64_t{1023} - 15) << 10));
  return static_cast<std::uint16_t>(sign | shifted);
}

}  // namespace deltaproof
