#include "reference/rules/scalar.hpp"

#include <stdexcept>
#include <string>

namespace deltaproof {
namespace {

// Bits that Boost gives to a number of `digits` decimal digits.
int bits_of_digits(unsigned digits) {
  return static_cast<int>(boost::multiprecision::detail::digits10_2_2(digits));
}

unsigned digits_for_bits(int bits) {
  unsigned digits = static_cast<unsigned>(bits) * 301U / 1000U;
  while (digits > 1 && bits_of_digits(digits - 1) >= bits) --digits;
  while (bits_of_digits(digits) < bits) ++digits;
  return digits;
}

void set_thread_precision(unsigned mpfr_digits, unsigned interval_digits) {
  Mpfr::thread_default_precision(mpfr_digits);
  Interval::thread_default_precision(interval_digits);
}

constexpr int kMinBits = 53;       // a double must convert exactly
constexpr int kMaxBits = 1 << 24;  // keeps the decimal digits within Boost's arithmetic

}  // namespace

WorkingPrecision::WorkingPrecision(int bits)
    : mpfr_digits_(Mpfr::thread_default_precision()),
      interval_digits_(Interval::thread_default_precision()),
      mpfr_options_(Mpfr::thread_default_variable_precision_options()),
      interval_options_(Interval::thread_default_variable_precision_options()) {
  if (bits < kMinBits || bits > kMaxBits) {
    throw std::invalid_argument("working precision must be from " + std::to_string(kMinBits) +
                                " to " + std::to_string(kMaxBits) + " bits, not " +
                                std::to_string(bits));
  }
  const unsigned digits = digits_for_bits(bits);
  bits_ = bits_of_digits(digits);
  set_thread_precision(digits, digits);
  // One precision for all: without this each operation inspects its operands, and an assignment
  // takes over the precision of its source.
  Mpfr::thread_default_variable_precision_options(Options::assume_uniform_precision);
  Interval::thread_default_variable_precision_options(Options::assume_uniform_precision);
}

WorkingPrecision::~WorkingPrecision() {
  Mpfr::thread_default_variable_precision_options(mpfr_options_);
  Interval::thread_default_variable_precision_options(interval_options_);
  set_thread_precision(mpfr_digits_, interval_digits_);
}

double to_double(const Mpfr& x) { return mpfr_get_d(x.backend().data(), MPFR_RNDN); }
double to_double(const Interval& x) { return mpfi_get_d(x.backend().data()); }

double lower(const Mpfr& x) { return mpfr_get_d(x.backend().data(), MPFR_RNDD); }
double upper(const Mpfr& x) { return mpfr_get_d(x.backend().data(), MPFR_RNDU); }
double lower(const Interval& x) { return mpfr_get_d(&x.backend().data()->left, MPFR_RNDD); }
double upper(const Interval& x) { return mpfr_get_d(&x.backend().data()->right, MPFR_RNDU); }

bool may_be_zero(const Mpfr& x) { return mpfr_zero_p(x.backend().data()) != 0; }
bool may_be_zero(const Interval& x) {
  return mpfi_nan_p(x.backend().data()) != 0 || mpfi_has_zero(x.backend().data()) != 0;
}

bool contains(const Interval& enclosure, const Mpfr& x) {
  const auto* ends = enclosure.backend().data();
  return mpfr_lessequal_p(&ends->left, x.backend().data()) != 0 &&
         mpfr_lessequal_p(x.backend().data(), &ends->right) != 0;
}

bool intersect(const Interval& x, const Interval& y) {
  const auto* a = x.backend().data();
  const auto* b = y.backend().data();
  return mpfr_lessequal_p(&a->left, &b->right) != 0 && mpfr_lessequal_p(&b->left, &a->right) != 0;
}

}  // namespace deltaproof
