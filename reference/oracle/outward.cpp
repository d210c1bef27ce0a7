#include "reference/oracle/outward.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

// Outside this range a square may have overflowed, or lost digits that count.
constexpr double smallest_safe_sum = 0x1p-900, largest_safe_sum = 0x1p1000;

double norm_of_sum(double sum, Index n) {
  // |computed sum - sum| <= gamma_n sum, and the square root halves it.
  return std::sqrt(sum) * (1 + (static_cast<double>(n) + 8) * 0x1p-53);
}

double scaled_norm_bound(const double* x, Index n, Index stride) {
  double largest = 0;
  for (Index i = 0; i < n; ++i) {
    const double size = std::abs(x[i * stride]);
    if (!(size <= std::numeric_limits<double>::max())) return infinity;
    largest = std::max(largest, size);
  }
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const double y = std::scalbn(x[i * stride], -exponent);
    sum += y * y;
  }
  return std::scalbn(norm_of_sum(sum, n), exponent) + 0x1p-1074;
}

}  // namespace

double norm_bound_from_sum(double sum, const double* x, Index n, Index stride) {
  if (sum > smallest_safe_sum && sum < largest_safe_sum) return norm_of_sum(sum, n);
  return scaled_norm_bound(x, n, stride);
}

double norm_bound(const double* x, Index n, Index stride) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += x[i * stride] * x[i * stride];
  return norm_bound_from_sum(sum, x, n, stride);
}

RowVector column_norm_bounds(const Matrix& matrix) {
  RowVector norms(matrix.cols());
  for (Index c = 0; c < matrix.cols(); ++c)
    norms[c] = norm_bound(matrix.data() + c, matrix.rows(), matrix.cols());
  return norms;
}

void finish_radius(Matrix& radius, const Matrix& value, double conversion) {
  for (Index i = 0; i < radius.size(); ++i) {
    double& r = radius.data()[i];
    const double size = std::abs(value.data()[i]);
    if (!(size <= std::numeric_limits<double>::max())) r = infinity;
    if (conversion > 0) r = outward(r + size * conversion);
  }
}

void finish_column_radius(RowVector& radius, const Matrix& value, double conversion) {
  const RowVector norms = column_norm_bounds(value);
  for (Index c = 0; c < radius.size(); ++c) {
    if (!(norms[c] <= std::numeric_limits<double>::max())) radius[c] = infinity;
    if (conversion > 0) radius[c] = outward(radius[c] + norms[c] * conversion);
  }
}

}  // namespace deltaproof
