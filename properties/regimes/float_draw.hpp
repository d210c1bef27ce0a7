#pragma once

#include <array>

#include "properties/regimes/generator.hpp"
#include "reference/problem/format.hpp"

namespace deltaproof {

/// Where floating-point arithmetic changes its behaviour; each with either sign.
enum class FloatKind {
  zero,
  smallest_subnormal,
  subnormal,  ///< any
  largest_subnormal,
  smallest_normal,
  power_of_two,
  beside_power_of_two,  ///< an ulp below or above one
  largest,              ///< below the limit
  ordinary,             ///< any significand, any exponent below the limit
};
inline constexpr std::array kFloatKinds{
    FloatKind::zero,         FloatKind::smallest_subnormal,  FloatKind::subnormal, FloatKind::largest_subnormal,
    FloatKind::smallest_normal, FloatKind::power_of_two, FloatKind::beside_power_of_two, FloatKind::largest,
    FloatKind::ordinary};

/// A number of `format` and of `kind` with |x| < 2^limit. `limit` is from min_exponent + 1 to max_exponent + 1, which
/// leaves out nothing.
double draw_float(FloatKind kind, const Format& format, int limit, Generator& generator);
/// Of any kind: each has the same chance.
double draw_float(const Format& format, int limit, Generator& generator);
/// A zero or a subnormal number.
double draw_subnormal(const Format& format, Generator& generator);

}  // namespace deltaproof
