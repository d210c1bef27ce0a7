#pragma once

#include <cmath>
#include <limits>

#include "reference/problem/matrix.hpp"

namespace deltaproof {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Covers the rounding of up to 2^12 double operations on non-negative numbers
/// (docs/certificate.md, 2).
inline constexpr double outward_factor = 1 + 0x1p-40;
/// Covers the underflow of up to 2^4 products of such a chain: each loses at most 2^-1075.
inline constexpr double outward_tiny = 0x1p-1070;

/// An upper bound of what x, computed from non-negative numbers, stands for; NaN becomes infinite.
inline double outward(double x) {
  const double y = x * outward_factor + outward_tiny;
  return y <= std::numeric_limits<double>::max() ? y : infinity;
}

/// gamma_n = n u / (1 - n u), rounded up; infinite where it does not exist.
inline double gamma_bound(double n, double u) {
  const double nu = n * u * (1 + 0x1p-50);
  return nu < 0.5 ? nu / (1 - nu) * (1 + 0x1p-50) : infinity;
}

/// Upper bound of |x|_2 over `n` values, `stride` apart, whatever their scale.
double norm_bound(const double* x, Index n, Index stride = 1);

/// The same, given the sum of the squares as computed in any order.
double norm_bound_from_sum(double sum, const double* x, Index n, Index stride);

/// Upper bounds of the 2-norms of the columns of a matrix.
RowVector column_norm_bounds(const Matrix& matrix);

/// Adds to each radius the error of rounding `value` to double, relative `conversion`. A value that
/// is not finite is no answer: its radius becomes infinite.
void finish_radius(Matrix& radius, const Matrix& value, double conversion);
/// The same for the 2-norm radii of the columns of `value`.
void finish_column_radius(RowVector& radius, const Matrix& value, double conversion);

}  // namespace deltaproof
