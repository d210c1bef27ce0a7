#include "properties/regimes/float_draw.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace deltaproof {
namespace {

// An integer in {0 .. 2^bits - 1}, as a double.
double integer_of(int bits, Generator& generator) { return std::floor(std::ldexp(generator.uniform(), bits)); }

int exponent_below(const Format& format, int limit, Generator& generator) {
  return generator.integer(format.min_exponent, limit - 1);
}

// An ulp below 2^e is half an ulp above it, but for the smallest normal number.
double beside_power_of_two(const Format& format, int exponent, bool above) {
  const int p = format.significant_bits;
  if (above) return std::ldexp(1 + std::ldexp(1.0, 1 - p), exponent);
  if (exponent == format.min_exponent) return std::ldexp(1 - std::ldexp(1.0, 1 - p), exponent);
  return std::ldexp(1 - std::ldexp(1.0, -p), exponent);
}

double magnitude(FloatKind kind, const Format& format, int limit, Generator& generator) {
  const int p = format.significant_bits, fraction = p - 1, step = format.min_exponent - fraction;
  switch (kind) {
    case FloatKind::zero: return 0;
    case FloatKind::smallest_subnormal: return std::ldexp(1.0, step);
    case FloatKind::subnormal: return std::ldexp(std::max(1.0, integer_of(fraction, generator)), step);
    case FloatKind::largest_subnormal: return std::ldexp(std::ldexp(1.0, fraction) - 1, step);
    case FloatKind::smallest_normal: return std::ldexp(1.0, format.min_exponent);
    case FloatKind::power_of_two: return std::ldexp(1.0, exponent_below(format, limit, generator));
    case FloatKind::beside_power_of_two: {
      const int exponent = exponent_below(format, limit, generator);
      return beside_power_of_two(format, exponent, generator.integer(0, 1) == 1);
    }
    case FloatKind::largest: return std::ldexp(1 - std::ldexp(1.0, -p), limit);
    case FloatKind::ordinary: break;
  }
  const int exponent = exponent_below(format, limit, generator);
  return std::ldexp(1 + std::ldexp(integer_of(fraction, generator), -fraction), exponent);
}

}  // namespace

double draw_float(FloatKind kind, const Format& format, int limit, Generator& generator) {
  if (limit <= format.min_exponent || limit > format.max_exponent + 1)
    throw std::invalid_argument("draw_float: a limit outside the exponents of the format");
  const bool negative = generator.integer(0, 1) == 1;
  const double x = magnitude(kind, format, limit, generator);
  return negative ? -x : x;
}

double draw_float(const Format& format, int limit, Generator& generator) {
  const int kind = generator.integer(0, static_cast<int>(kFloatKinds.size()) - 1);
  return draw_float(kFloatKinds[static_cast<std::size_t>(kind)], format, limit, generator);
}

double draw_subnormal(const Format& format, Generator& generator) {
  constexpr std::array kinds{FloatKind::zero, FloatKind::smallest_subnormal, FloatKind::subnormal,
                             FloatKind::subnormal, FloatKind::largest_subnormal};
  const int kind = generator.integer(0, static_cast<int>(kinds.size()) - 1);
  return draw_float(kinds[static_cast<std::size_t>(kind)], format, format.max_exponent, generator);
}

}  // namespace deltaproof
