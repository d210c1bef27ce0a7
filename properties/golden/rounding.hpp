#pragma once

#include <optional>

#include "reference/problem/format.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof::golden {

/// `x` rounded to nearest in `format`, ties to even, in one rounding; subnormals of the format count, overflow gives
/// infinity. A zero is +0, a number that rounds to zero keeps its sign. `x` must not be NaN.
double nearest(const Mpfr& x, const Format& format);

/// What a vector says of one exact number.
struct Rounded {
  double f64 = 0;     ///< the number correctly rounded to double
  double stored = 0;  ///< the number correctly rounded to the type of the output, not by way of f64
  /// The smallest power of two with |f64 - number| <= radius, but not below 2^-32 ulp of f64 nor 2^-1074: so it depends
  /// on the number alone, and neither on the route nor on the precision that found it.
  double radius = 0;
};

/// What is true of every number in `enclosure`; nothing if they do not all round alike, or beyond the range of double.
std::optional<Rounded> rounded(const Interval& enclosure, const Format& stored);

}  // namespace deltaproof::golden
