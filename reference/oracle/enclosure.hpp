#pragma once

#include <algorithm>

#include "reference/oracle/outward.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof {

/// A double and a radius that enclose an interval.
struct Enclosure {
  double centre, radius;
};

/// Nearest double to the middle; radius infinite if the interval is not finite in double.
inline Enclosure enclose(const Interval& x) {
  const double low = lower(x), high = upper(x), centre = to_double(x);
  const bool finite =
      low >= -std::numeric_limits<double>::max() && high <= std::numeric_limits<double>::max();
  if (!finite) return {centre, infinity};
  if (low == high) return {low, 0};
  return {centre, outward(std::max(high - centre, centre - low))};
}

/// Upper bound of |x|.
inline double size_bound(const Interval& x) {
  return std::max(std::abs(lower(x)), std::abs(upper(x)));
}

}  // namespace deltaproof
