#include "properties/golden/rounding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace deltaproof::golden {
namespace {

/// An MPFR number of its own precision.
class Number {
 public:
  explicit Number(mpfr_prec_t bits) { mpfr_init2(x_, bits); }
  ~Number() { mpfr_clear(x_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return x_; }

 private:
  mpfr_t x_;
};

double round_number(mpfr_srcptr x, const Format& format) {
  if (mpfr_zero_p(x)) return 0;
  const double sign = mpfr_signbit(x) != 0 ? -1 : 1;
  if (mpfr_inf_p(x)) return sign * std::numeric_limits<double>::infinity();
  const mpfr_exp_t exponent = mpfr_get_exp(x) - 1;  // 2^exponent <= |x| < 2^(exponent + 1)
  if (exponent > format.max_exponent) return sign * std::numeric_limits<double>::infinity();
  const mpfr_exp_t last = std::max<mpfr_exp_t>(exponent, format.min_exponent) - (format.significant_bits - 1);
  if (exponent < last - 1) return sign * 0.0;
  Number units(std::max<mpfr_prec_t>(mpfr_get_prec(x), 64));
  mpfr_mul_2si(units.get(), x, -last, MPFR_RNDN);
  mpfr_roundeven(units.get(), units.get());  // a whole number of at most 2^p units
  const double value = std::ldexp(mpfr_get_d(units.get(), MPFR_RNDN), static_cast<int>(last));
  const double largest = std::ldexp(2 - std::ldexp(1, 1 - format.significant_bits), format.max_exponent);
  if (std::abs(value) > largest) return sign * std::numeric_limits<double>::infinity();
  return std::copysign(value, sign);
}

bool same_bits(double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); }

// The exponent of the smallest radius that is given round `value`.
int least_exponent(double value) {
  constexpr int smallest = -1074, fraction = 52, finer = 32;
  if (value == 0) return smallest;
  return std::max(std::max(std::ilogb(value), -1022) - fraction - finer, smallest);
}

// The least e >= `least` with distance <= 2^e.
int exponent_of(mpfr_srcptr distance, int least) {
  if (mpfr_zero_p(distance)) return least;
  const bool power_of_two = mpfr_min_prec(distance) == 1;
  const mpfr_exp_t exponent = mpfr_get_exp(distance) - (power_of_two ? 1 : 0);
  return static_cast<int>(std::max<mpfr_exp_t>(exponent, least));
}

// Bounds of |x - value| over the enclosure, as exponents; equal if the enclosure tells.
std::optional<int> radius_exponent(mpfr_srcptr left, mpfr_srcptr right, double value) {
  const mpfr_prec_t bits = std::max(mpfr_get_prec(left), mpfr_get_prec(right)) + 64;
  Number least_left(bits), least_right(bits), most_left(bits), most_right(bits);
  const auto distances = [&](mpfr_srcptr end, Number& least, Number& most) {
    mpfr_sub_d(least.get(), end, value, MPFR_RNDZ);
    mpfr_sub_d(most.get(), end, value, MPFR_RNDA);
  };
  distances(left, least_left, most_left);
  distances(right, least_right, most_right);
  const bool inside = mpfr_sgn(least_left.get()) <= 0 && mpfr_sgn(least_right.get()) >= 0;
  for (Number* d : {&least_left, &least_right, &most_left, &most_right}) mpfr_abs(d->get(), d->get(), MPFR_RNDN);
  mpfr_max(most_left.get(), most_left.get(), most_right.get(), MPFR_RNDN);
  mpfr_min(least_left.get(), least_left.get(), least_right.get(), MPFR_RNDN);
  const int least = least_exponent(value);
  const int most = exponent_of(most_left.get(), least);
  const int fewest = inside ? least : exponent_of(least_left.get(), least);
  if (most != fewest) return std::nullopt;
  return most;
}

}  // namespace

double nearest(const Mpfr& x, const Format& format) { return round_number(x.backend().data(), format); }

std::optional<Rounded> rounded(const Interval& enclosure, const Format& stored) {
  const auto* ends = enclosure.backend().data();
  mpfr_srcptr left = &ends->left, right = &ends->right;
  if (!mpfr_number_p(left) || !mpfr_number_p(right)) return std::nullopt;
  const double f64 = round_number(left, formats::f64), narrow = round_number(left, stored);
  if (!std::isfinite(f64)) return std::nullopt;
  if (!same_bits(f64, round_number(right, formats::f64)) || !same_bits(narrow, round_number(right, stored))) {
    return std::nullopt;
  }
  const std::optional<int> exponent = radius_exponent(left, right, f64);
  if (!exponent) return std::nullopt;
  return Rounded{f64, narrow, std::ldexp(1.0, *exponent)};
}

}  // namespace deltaproof::golden
