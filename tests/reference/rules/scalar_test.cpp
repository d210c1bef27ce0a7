#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "reference/rules/scalar.hpp"

namespace deltaproof {
namespace {

mpfr_prec_t bits_of(const Mpfr& x) { return mpfr_get_prec(x.backend().data()); }
mpfr_prec_t bits_of(const Interval& x) { return mpfi_get_prec(x.backend().data()); }

template <class R>
void expect_every_result_has(mpfr_prec_t bits) {
  const R a(3), b(0.1);
  R sum(0);
  sum += a * b;
  EXPECT_EQ(bits_of(a), bits);
  EXPECT_EQ(bits_of(sum), bits);
  EXPECT_EQ(bits_of(R(a + b)), bits);
  EXPECT_EQ(bits_of(R(a / b)), bits);
  EXPECT_EQ(bits_of(R(exp(b))), bits);
  EXPECT_EQ(bits_of(R(sqrt(a))), bits);
  EXPECT_EQ(bits_of(R(log(a))), bits);
}

TEST(WorkingPrecision, GivesAtLeastTheBitsAskedFor) {
  for (const int bits : {53, 54, 64, 100, 113, 128, 200, 256, 1000, 8192}) {
    const WorkingPrecision precision(bits);
    EXPECT_GE(precision.bits(), bits);
    EXPECT_LT(precision.bits(), bits + 5) << "a decimal digit is 3.3 bits";
    expect_every_result_has<Mpfr>(precision.bits());
    expect_every_result_has<Interval>(precision.bits());
  }
}

TEST(WorkingPrecision, WinsOverThePrecisionOfOperandsFromOutside) {
  const WorkingPrecision outer(64);
  const Mpfr coarse = Mpfr(1) / Mpfr(3);
  const Interval coarse_interval = Interval(1) / Interval(3);
  const WorkingPrecision inner(512);
  EXPECT_EQ(bits_of(Mpfr(coarse)), inner.bits());
  EXPECT_EQ(bits_of(Mpfr(coarse * coarse)), inner.bits());
  EXPECT_EQ(bits_of(Interval(coarse_interval + coarse_interval)), inner.bits());
}

TEST(WorkingPrecision, IsRestoredAndNumbersThatLeaveKeepTheirs) {
  const unsigned before = Mpfr::thread_default_precision();
  Mpfr kept;
  mpfr_prec_t bits = 0;
  {
    const WorkingPrecision precision(512);
    bits = precision.bits();
    kept = Mpfr(1) / Mpfr(3);
  }
  EXPECT_EQ(Mpfr::thread_default_precision(), before);
  const Mpfr copy = kept;
  EXPECT_EQ(bits_of(copy), bits);
  EXPECT_EQ(mpfr_equal_p(copy.backend().data(), kept.backend().data()), 1);
}

TEST(WorkingPrecision, BelongsToItsThread) {
  const WorkingPrecision precision(512);
  mpfr_prec_t elsewhere = 0;
  std::thread([&] { elsewhere = bits_of(Mpfr(1)); }).join();
  EXPECT_NE(elsewhere, precision.bits());
}

TEST(WorkingPrecision, RefusesWhatCannotHoldADouble) {
  EXPECT_THROW(WorkingPrecision{52}, std::invalid_argument);
  EXPECT_THROW(WorkingPrecision{0}, std::invalid_argument);
  EXPECT_THROW(WorkingPrecision{-1}, std::invalid_argument);
  EXPECT_THROW(WorkingPrecision{std::numeric_limits<int>::max()}, std::invalid_argument);
}

TEST(Scalars, DoublesConvertExactlyBothWays) {
  const WorkingPrecision precision(53);
  for (const double x : {0.0, 1.0, -0.1, 0x1p-1074, -0x1.fffffffffffffp1023, 0x1.0000000000001p0}) {
    EXPECT_EQ(to_double(Mpfr(x)), x);
    EXPECT_EQ(lower(Mpfr(x)), x);
    EXPECT_EQ(upper(Mpfr(x)), x);
    EXPECT_EQ(lower(Interval(x)), x);
    EXPECT_EQ(upper(Interval(x)), x);
  }
}

TEST(Scalars, EndsRoundOutwards) {
  const WorkingPrecision precision(256);
  const Mpfr third = Mpfr(1) / Mpfr(3);
  EXPECT_EQ(std::nextafter(lower(third), 1), upper(third));
  const Interval interval = Interval(1) / Interval(3);
  EXPECT_EQ(lower(interval), lower(third));
  EXPECT_EQ(upper(interval), upper(third));
  const Mpfr huge = exp(Mpfr(1000));
  EXPECT_EQ(lower(huge), std::numeric_limits<double>::max());
  EXPECT_EQ(upper(huge), std::numeric_limits<double>::infinity());
  const Mpfr tiny = exp(Mpfr(-1000));
  EXPECT_EQ(lower(tiny), 0);
  EXPECT_EQ(upper(tiny), std::numeric_limits<double>::denorm_min());
}

TEST(Scalars, IntervalsEncloseWhatAFinerPrecisionFinds) {
  const WorkingPrecision coarse(64);
  const Interval enclosure = sqrt(Interval(2)) * exp(Interval(-0.3)) + log(Interval(3));
  const WorkingPrecision fine(512);
  const Mpfr value = sqrt(Mpfr(2)) * exp(Mpfr(-0.3)) + log(Mpfr(3));
  EXPECT_TRUE(contains(enclosure, value));
  EXPECT_FALSE(contains(enclosure, value + exp(Mpfr(-40)))) << "an enclosure that accepts anything";
}

TEST(Scalars, NaNIsInNoEnclosure) {
  const WorkingPrecision precision(64);
  const Mpfr nan(std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(contains(Interval(1), nan));
  EXPECT_FALSE(intersect(Interval(1), Interval(2)));
  EXPECT_TRUE(intersect(Interval(1), Interval(1)));
  EXPECT_TRUE(may_be_zero(Interval(0)));
  EXPECT_FALSE(may_be_zero(Interval(1)));
}

}  // namespace
}  // namespace deltaproof
