#include "properties/claims/hola_exponential.hpp"

#include "reference/rules/scalar.hpp"

namespace deltaproof::claims {
namespace {

Interval interval(const Rational& x) { return Interval(numerator(x).str()) / Interval(denominator(x).str()); }

}  // namespace

Range exponential_of(const Range& x) {
  const WorkingPrecision precision(128);
  // exp rises; a double is a rational number.
  return {Rational(lower(Interval(exp(interval(x.low))))), Rational(upper(Interval(exp(interval(x.high)))))};
}

Range softmax_weight(int entries, const Range& own, const Range& others) {
  // exp(l) / (exp(l) + sum of the others) = 1 / (1 + (entries - 1) exp(o - l)), falling in o - l.
  const Range rest = exactly(entries - 1) * exponential_of(others - own);
  return exactly(1) / (exactly(1) + rest);
}

}  // namespace deltaproof::claims
