#include <algorithm>
#include <cmath>

#include "reference/oracle/certificate.hpp"
#include "reference/oracle/coefficient_error.hpp"
#include "reference/oracle/outward.hpp"

// Theorem 5 of docs/certificate.md: roundings of make_steps and recurrence at a given precision.

namespace deltaproof {
namespace {

bool divides_by_key_norm(const Options& options) {
  return options.rule == Rule::longhorn_exact ||
         (options.rule == Rule::kla && options.variant != KlaVariant::no_norm);
}

// Position factors: log and a square root, a division and a product at most, log being off by 2
// ulp.
constexpr int position_roundings = 12;

double write_error(const HeadInputs& head, double k_error,
                   const CoefficientArithmetic& arithmetic) {
  const Options& options = head.options;
  const int roundings =
      options.rule == Rule::kla && options.position != Position::one ? position_roundings : 0;
  if (!divides_by_key_norm(options)) return gamma_bound(roundings, arithmetic.u);
  double worst = 0;
  for (Index t = 0; t < head.tokens; ++t) {
    double square = head.k.row(t).squaredNorm();
    if (k_error > 0) square /= square + options.qk_l2norm_eps;
    double a = options.eps, c = options.variant == KlaVariant::learned_scalar ? options.c : 1;
    if (options.rule == Rule::longhorn_exact) {
      a = 1;
      c = head.write(t, 0);
    }
    const double error = affine_square_error(a, c, square, head.K, k_error, arithmetic);
    worst = std::max(worst, error <= infinity ? error : infinity);
  }
  return quotient_error(worst, roundings + 2, arithmetic);
}

}  // namespace

RecurrenceRounding oracle_rounding(const HeadInputs& head, int bits) {
  const CoefficientArithmetic arithmetic(bits);
  const Options& options = head.options;
  const L2Norm norm = options.qk_l2norm;
  RecurrenceRounding rounding;
  rounding.u = arithmetic.u;
  if (norm == L2Norm::q || norm == L2Norm::both)
    rounding.q_error = normalised_error(head.q, options.qk_l2norm_eps, arithmetic);
  if (norm == L2Norm::k || norm == L2Norm::both)
    rounding.k_error = normalised_error(head.k, options.qk_l2norm_eps, arithmetic);
  rounding.exp_error = arithmetic.exp_error;
  rounding.b_error = write_error(head, rounding.k_error, arithmetic);
  rounding.coefficient_error =
      std::max({rounding.q_error, rounding.k_error, rounding.b_error, rounding.exp_error}) +
      0x1p-52;
  return rounding;
}

}  // namespace deltaproof
