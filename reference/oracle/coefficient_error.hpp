#pragma once

#include "reference/problem/head.hpp"

namespace deltaproof {

/// The arithmetic that coefficients are formed in: `bits` significant bits, and, at 53, the
/// exponents of double, whose squares may overflow or underflow. MPFR's exponents do neither in
/// this use.
struct CoefficientArithmetic {
  explicit CoefficientArithmetic(int bits);
  double u;           ///< 2^-bits
  bool double_range;  ///< bits == 53
  double exp_error;   ///< of exp and log: 2 ulp in double (docs/certificate.md, assumption A), else
                      ///< rounded
};

/// Largest componentwise relative error of rows divided by sqrt(|x|^2 + eps).
double normalised_error(const Matrix& rows, double eps, const CoefficientArithmetic& arithmetic);

/// Largest relative error of a + c |x|^2, x being a row with componentwise relative error
/// `row_error`. Infinite where the sum cannot be trusted (overflow, cancellation to nothing).
double affine_square_error(double a, double c, double square, Index K, double row_error,
                           const CoefficientArithmetic& arithmetic);

/// Relative error of a quotient by something with relative error `divisor_error`, after `roundings`
/// more.
double quotient_error(double divisor_error, int roundings, const CoefficientArithmetic& arithmetic);

}  // namespace deltaproof
