#include "reference/oracle/coefficient_error.hpp"

#include <algorithm>
#include <cmath>

#include "reference/oracle/outward.hpp"

// Theorem 5 of docs/certificate.md.

namespace deltaproof {
namespace {

// What K squares in double range lose to underflow, relative to the sum they are part of.
double lost_to_underflow(double sum, Index K, const CoefficientArithmetic& arithmetic) {
  if (!arithmetic.double_range) return 0;
  if (!(sum < 0x1p1023) || !(sum > 0)) return infinity;
  return 4 * static_cast<double>(K) * 0x1p-1074 / sum;
}

}  // namespace

CoefficientArithmetic::CoefficientArithmetic(int bits)
    : u(std::ldexp(1.0, -bits)), double_range(bits == 53), exp_error(bits == 53 ? 4 * u : u) {}

double normalised_error(const Matrix& rows, double eps, const CoefficientArithmetic& arithmetic) {
  double worst = 0;
  const double K = static_cast<double>(rows.cols());
  for (Index t = 0; t < rows.rows(); ++t) {
    const double sum = rows.row(t).squaredNorm() + eps;
    const double theta =
        gamma_bound(K + 2, arithmetic.u) + lost_to_underflow(sum, rows.cols(), arithmetic);
    worst = std::max(worst, theta < 0.5 ? theta : infinity);
  }
  return (worst * (1 + 4 * arithmetic.u) + 4 * arithmetic.u) * outward_factor;
}

double affine_square_error(double a, double c, double square, Index K, double row_error,
                           const CoefficientArithmetic& arithmetic) {
  const double sum = a + c * square, size = std::abs(a) + std::abs(c) * square;
  const double rounded = gamma_bound(static_cast<double>(K) + 4, arithmetic.u);
  const double rows = row_error * (2 + row_error) * (1 + rounded);
  const bool additive = a >= 0 && c >= 0;
  if (additive && !arithmetic.double_range) return (rounded + rows) * outward_factor;
  const double cancellation = additive ? 1 : 2 * size / std::abs(sum);
  // The cancellation itself is measured in double.
  if (!(cancellation * gamma_bound(static_cast<double>(K) + 4, 0x1p-53) < 0.125)) return infinity;
  const double underflow = lost_to_underflow(size, K, arithmetic) * std::max(1.0, std::abs(c));
  const double error = cancellation * (rounded + rows + underflow);
  return error < 0.25 ? error * outward_factor : infinity;
}

double quotient_error(double divisor_error, int roundings,
                      const CoefficientArithmetic& arithmetic) {
  if (!(divisor_error < 0.5)) return infinity;
  const double inverse = divisor_error / (1 - divisor_error);
  const double rounded = gamma_bound(roundings, arithmetic.u);
  return (inverse + rounded + inverse * rounded) * outward_factor;
}

}  // namespace deltaproof
