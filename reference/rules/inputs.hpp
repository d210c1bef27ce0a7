#pragma once

#include <vector>

#include "reference/problem/head.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof {

/// Elements of `matrix`, row by row, exactly.
template <Scalar R>
std::vector<R> elements(const Matrix& matrix) {
  return std::vector<R>(matrix.data(), matrix.data() + matrix.size());
}

/// sum of x_i^2 over `count` elements, in order.
template <Scalar R>
R square_sum(const R* x, Index count) {
  R sum(0);
  for (Index i = 0; i < count; ++i) sum += x[i] * x[i];
  return sum;
}

/// Rows of `matrix`, each divided by sqrt(sum x^2 + eps): `qk_l2norm` (semantics, 'Layout and
/// names'). Not x / max(|x|, eps), which is another function for |x| below about 1e-3.
template <Scalar R>
std::vector<R> l2_normalised(const Matrix& matrix, double eps) {
  using std::sqrt;
  std::vector<R> rows = elements<R>(matrix);
  const Index width = matrix.cols();
  for (Index t = 0; t < matrix.rows(); ++t) {
    R* row = rows.data() + t * width;
    const R norm = sqrt(square_sum(row, width) + R(eps));
    for (Index i = 0; i < width; ++i) row[i] /= norm;
  }
  return rows;
}

/// The queries as the rule reads with them.
template <Scalar R>
std::vector<R> queries(const HeadInputs& head) {
  const L2Norm norm = head.options.qk_l2norm;
  const bool normalise = norm == L2Norm::q || norm == L2Norm::both;
  return normalise ? l2_normalised<R>(head.q, head.options.qk_l2norm_eps) : elements<R>(head.q);
}

/// The keys as the rule writes with them.
template <Scalar R>
std::vector<R> keys(const HeadInputs& head) {
  const L2Norm norm = head.options.qk_l2norm;
  const bool normalise = norm == L2Norm::k || norm == L2Norm::both;
  return normalise ? l2_normalised<R>(head.k, head.options.qk_l2norm_eps) : elements<R>(head.k);
}

/// Throws InputError unless `matrix` is rows x columns; `tensor` and `rule` name it in the message.
void require_shape(const Matrix& matrix, Index rows, Index columns, const char* tensor,
                   const char* rule);

}  // namespace deltaproof
