#include "tests/reference/bounds/simulated/points.hpp"

namespace deltaproof::simulated {

float Rounder::operator()(Point p, float x) {
  const How how = roundings_.at(p);
  if (how == How::kept) return x;
  const std::size_t decision = next_++;
  const double exact = x;
  if (mode == Mode::declared) {
    return static_cast<float>(how == How::nearest ? round_to_nearest_even(roundings_.format, exact)
                                                  : round_towards_zero(roundings_.format, exact));
  }
  if (mode == Mode::single && decision != pushed) return x;
  const int sign = mode == Mode::single ? 1 : signs[decision];
  if (x == 0 || sign == 0) return x;
  // To nearest: half an ulp either way. Truncation: up to an ulp, towards zero only.
  if (how == How::nearest)
    return static_cast<float>(exact + sign * half_ulp(roundings_.format, exact));
  const bool towards_zero = (sign > 0) != (exact > 0);
  if (mode == Mode::single)
    return static_cast<float>(exact + 2 * half_ulp(roundings_.format, exact));
  return towards_zero ? static_cast<float>(exact + sign * 2 * half_ulp(roundings_.format, exact))
                      : x;
}

Floats Rounder::operator()(Point p, const Floats& m) {
  if (roundings_.at(p) == How::kept) return m;
  Floats result(m.rows(), m.cols());
  for (Index i = 0; i < m.size(); ++i) result.data()[i] = (*this)(p, m.data()[i]);
  return result;
}

}  // namespace deltaproof::simulated
