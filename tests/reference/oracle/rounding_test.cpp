// Theorem 5 and assumption A of docs/certificate.md: the coefficients' errors at 53 bits and at
// more.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "heads.hpp"
#include "reference/oracle/certificate.hpp"
#include "reference/oracle/outward.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

// |approximation - exact| / |exact|; what underflow loses in double is allowed for separately.
double relative(const Mpfr& approximation, const Mpfr& exact) {
  const Mpfr error = abs(approximation - exact);
  if (error <= Mpfr(0x1p-1074)) return 0;
  return upper(error / abs(exact));
}

template <class R>
double worst(const std::vector<R>& approximations, const std::vector<Mpfr>& exact) {
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    largest = std::max(largest, relative(Mpfr(approximations[i]), exact[i]));
  return largest;
}

template <class R>
void hold_coefficients(const HeadInputs& head, int bits, const Steps<Mpfr>& exact,
                       const std::string& name) {
  SCOPED_TRACE(name + " at " + std::to_string(bits));
  Steps<R> steps;
  {
    const WorkingPrecision low(bits);
    steps = make_steps<R>(head);
  }
  const RecurrenceRounding rounding = oracle_rounding(head, bits);
  EXPECT_LE(worst(steps.q, exact.q), rounding.q_error);
  EXPECT_LE(worst(steps.k, exact.k), rounding.k_error);
  EXPECT_LE(worst(steps.b, exact.b), rounding.b_error);
  EXPECT_LE(worst(steps.alpha, exact.alpha), rounding.exp_error);
  EXPECT_LE(rounding.b_error, 0x1p-20);
}

TEST(OracleRounding, CoversTheCoefficientsOfEveryRule) {
  const WorkingPrecision precision(truth_bits);
  for (const double size : {1.0, 0x1p-30, 0x1p40, 0x1p-480, 0x1p-520}) {
    for (NamedHead& named : update_family_heads({}, 41)) {
      named.head.k *= size;
      named.head.q *= size;
      const Steps<Mpfr> exact = make_steps<Mpfr>(named.head);
      hold_coefficients<double>(named.head, 53, exact, named.name);
      hold_coefficients<Mpfr>(named.head, 113, exact, named.name);
    }
  }
}

TEST(OracleRounding, IsInfiniteWhereSquaresOverflow) {
  HeadInputs head = random_head(Rule::kla, {}, 42);
  head.k *= 0x1p520;
  EXPECT_EQ(oracle_rounding(head, 53).b_error, HUGE_VAL);
  EXPECT_EQ(answer_double(head, {}).o_radius.minCoeff(), HUGE_VAL);
  head.options.rule = Rule::gated_delta;
  head.options.qk_l2norm = L2Norm::k;
  EXPECT_EQ(oracle_rounding(head, 53).k_error, HUGE_VAL);
  EXPECT_LT(oracle_rounding(head, 113).k_error, 0x1p-100);
}

TEST(OracleRounding, IsInfiniteWhereADenominatorCancels) {
  HeadInputs head = random_head(Rule::longhorn_exact, {}, 43);
  head.write(3, 0) = -1 / head.k.row(3).squaredNorm();
  EXPECT_EQ(oracle_rounding(head, 53).b_error, HUGE_VAL);
  head.write(3, 0) *= 0.5;
  EXPECT_LT(oracle_rounding(head, 53).b_error, 0x1p-45);
}

double gamma(double n, double u) { return n * u / (1 - n * u); }

// Theorem 5 by hand, for a divisor whose terms are positive and keys as given: gamma_{K+4} = x,
// x / (1 - x) through the division, and two roundings, 12 more with a position factor. Rounded up
// by less than 2^-38 in all.
TEST(OracleRounding, OfAWriteCountsADivisorAndTwoRoundings) {
  constexpr double u = 0x1p-113;
  struct Case {
    Rule rule;
    Position position;
    double roundings;
  };
  for (const auto& [rule, position, roundings] : {Case{Rule::longhorn_exact, Position::one, 2},
                                                  Case{Rule::kla, Position::one, 2},
                                                  Case{Rule::kla, Position::inverse, 12 + 2}}) {
    HeadInputs head = random_head(rule, {}, 46);
    head.options.position = position;
    head.options.variant = KlaVariant::standard;
    const double x = gamma(static_cast<double>(head.K) + 4, u), quotient = x / (1 - x);
    const double sum = quotient + gamma(roundings, u) + quotient * gamma(roundings, u);
    const double found = oracle_rounding(head, 113).b_error;
    EXPECT_GE(found, sum) << roundings;
    EXPECT_LE(found, sum * (1 + 0x1p-38)) << roundings;
  }
}

TEST(AssumptionA, ExpAndLogAreWithinTwoUlpInDouble) {
  const WorkingPrecision precision(200);
  std::mt19937_64 random(44);
  std::uniform_real_distribution<double> wide(-708, 0), near(-1, 0), exponent(-50, 0);
  double exp_error = 0, log_error = 0;
  for (int n = 0; n < 60000; ++n) {
    for (const double g : {wide(random), near(random), -std::exp2(exponent(random))}) {
      const Mpfr exact = exp(Mpfr(g));
      exp_error = std::max(exp_error, relative(Mpfr(std::exp(g)), exact));
    }
    const double t = 2 + n;
    log_error = std::max(log_error, relative(Mpfr(std::log(t)), log(Mpfr(t))));
  }
  std::printf("exp: %.3f u, log: %.3f u (u = 2^-53; 4 u allowed)\n", exp_error * 0x1p53,
              log_error * 0x1p53);
  EXPECT_LE(exp_error, 4 * 0x1p-53);
  EXPECT_LE(log_error, 4 * 0x1p-53);
  // Subnormal results: an absolute error below that of lemma 1.
  for (double g = -745; g < -708; g += 0.01)
    EXPECT_LE(abs(Mpfr(std::exp(g)) - exp(Mpfr(g))), exp(Mpfr(g)) * Mpfr(0x1p-51) + Mpfr(0x1p-1073))
        << g;
}

TEST(NormBound, IsAboveTheNormAtEveryScale) {
  const WorkingPrecision precision(truth_bits);
  std::mt19937_64 random(45);
  std::normal_distribution<double> deviate;
  for (int exponent = -1074; exponent <= 1020; exponent += 6) {
    std::vector<double> x(50);
    Mpfr sum(0);
    for (double& value : x) {
      value = std::ldexp(deviate(random), exponent);
      sum += Mpfr(value) * Mpfr(value);
    }
    const Mpfr norm = sqrt(sum);
    const double bound = norm_bound(x.data(), 50);
    EXPECT_GE(Mpfr(bound), norm);
    EXPECT_LE(Mpfr(bound), norm * Mpfr(1 + 0x1p-40) + Mpfr(0x1p-1073));
  }
  const double broken[] = {1, std::nan("")}, overflow[] = {HUGE_VAL}, zero[] = {0, -0.0};
  EXPECT_EQ(norm_bound(broken, 2), HUGE_VAL);
  EXPECT_EQ(norm_bound(overflow, 1), HUGE_VAL);
  EXPECT_EQ(norm_bound(zero, 2), 0);
}

// Of one element the root of the rounded square is the element itself, so that any factor below 1 shows.
TEST(NormBound, IsAboveTheNormOfAFewElements) {
  const WorkingPrecision precision(truth_bits);
  std::mt19937_64 random(46);
  std::uniform_real_distribution<double> deviate(1, 2);
  for (int n = 0; n < 4000; ++n) {
    double x[8];
    Mpfr sum(0);
    for (Index size = 1; size <= 8; ++size) {
      x[size - 1] = deviate(random);
      sum += Mpfr(x[size - 1]) * Mpfr(x[size - 1]);
      EXPECT_GE(Mpfr(norm_bound(x, size)), sqrt(sum)) << size;
    }
  }
}

}  // namespace
}  // namespace deltaproof::testing
