#pragma once

#include <cmath>
#include <limits>

namespace deltaproof {

/// One element of a SetBlock.
struct Ball {
  double centre = 0, radius = 0;
};

inline constexpr Ball unknown_ball{0, std::numeric_limits<double>::infinity()};

/// The smallest ball that holds [low, high]; unknown where an end is not finite.
inline Ball ball_between(double low, double high) {
  if (!(std::isfinite(low) && std::isfinite(high))) return unknown_ball;
  if (low == high) return {low, 0};
  const double centre = low / 2 + high / 2;
  const double half = std::fmax(high - centre, centre - low);
  return {centre, half * (1 + 0x1p-51)};
}

/// [centre - radius, centre + radius], widened by what double may have lost in forming the ends.
struct Ends {
  double low = 0, high = 0;
};
inline Ends ends_of(double centre, double radius) {
  if (radius == 0) return {centre, centre};
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return {std::nextafter(centre - radius, -infinite), std::nextafter(centre + radius, infinite)};
}

/// The hull of what `rounding`, a monotone function, makes of the values of a ball. NaN gives `unknown_ball`.
template <class Rounding>
Ball rounded_ball(double centre, double radius, Rounding rounding) {
  if (!(radius < std::numeric_limits<double>::infinity()) || !std::isfinite(centre)) return unknown_ball;
  const Ends ends = ends_of(centre, radius);
  const double low = rounding(ends.low);
  return radius == 0 ? ball_between(low, low) : ball_between(low, rounding(ends.high));
}

}  // namespace deltaproof
