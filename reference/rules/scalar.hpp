#pragma once

#include <cmath>
#include <concepts>

#include <boost/multiprecision/mpfi.hpp>
#include <boost/multiprecision/mpfr.hpp>

namespace deltaproof {

/// The scalars that every rule is instantiated with: double, and the two below.
/// Expression templates are off, so that `a + b * c` rounds after each operation as it does in
/// double.
using Mpfr = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                           boost::multiprecision::et_off>;
/// Interval [lower, upper]; each operation rounds outwards, so it encloses the exact result.
using Interval = boost::multiprecision::number<boost::multiprecision::mpfi_float_backend<0>,
                                               boost::multiprecision::et_off>;

/// What the text of a rule may use: + - * /, exact construction from double, and exp, log, sqrt,
/// abs found with `using std::exp;` and the like. No comparison: on intervals it may have no
/// answer.
template <class R>
concept Scalar = std::same_as<R, double> || std::same_as<R, Mpfr> || std::same_as<R, Interval>;

/// Sets the precision of Mpfr and Interval in this thread until it goes out of scope.
///
/// Boost counts decimal digits: the precision is the smallest that Boost can express with at least
/// `bits` bits (113 becomes 114). Every number made, copied or computed in the scope has it,
/// whatever its operands'. Numbers that leave the scope keep theirs. Needs at least 53 bits, so
/// that a double converts exactly: throws std::invalid_argument below that. New threads start at
/// Boost's default: each needs its own guard.
class WorkingPrecision {
 public:
  explicit WorkingPrecision(int bits);
  ~WorkingPrecision();
  WorkingPrecision(const WorkingPrecision&) = delete;
  WorkingPrecision& operator=(const WorkingPrecision&) = delete;

  /// Bits that numbers of this scope really have.
  int bits() const { return bits_; }

 private:
  using Options = boost::multiprecision::variable_precision_options;
  unsigned mpfr_digits_, interval_digits_;
  Options mpfr_options_, interval_options_;
  int bits_;
};

/// Nearest double (of an interval: of its midpoint).
inline double to_double(double x) { return x; }
double to_double(const Mpfr& x);
double to_double(const Interval& x);

/// Largest double <= x, and smallest double >= x (of an interval: outside both ends).
inline double lower(double x) { return x; }
inline double upper(double x) { return x; }
double lower(const Mpfr& x);
double upper(const Mpfr& x);
double lower(const Interval& x);
double upper(const Interval& x);

/// Whether zero cannot be excluded.
inline bool may_be_zero(double x) { return x == 0; }
bool may_be_zero(const Mpfr& x);
bool may_be_zero(const Interval& x);

/// Whether `x` lies in `enclosure` (false for NaN).
bool contains(const Interval& enclosure, const Mpfr& x);
/// Whether the two enclosures have a point in common (false for NaN).
bool intersect(const Interval& x, const Interval& y);

}  // namespace deltaproof
