#pragma once

#include <algorithm>

#include "reference/problem/matrix.hpp"

namespace deltaproof {

/// Rows or columns of an elementwise operation whose operands may have one for all (Reading).
inline Index common(Index a, Index b) { return std::max(a, b); }

/// result(i, j) = f(a(i, j), b(i, j)), where an operand with one row or column gives it to all. `Result` is a
/// dense row-major matrix. No operand may be empty unless all are.
template <class Result, class A, class B, class F>
Result broadcast(const A& a, const B& b, F f) {
  Result result(common(a.rows(), b.rows()), common(a.cols(), b.cols()));
  const Index a_row = a.rows() > 1 ? 1 : 0, a_col = a.cols() > 1 ? 1 : 0;
  const Index b_row = b.rows() > 1 ? 1 : 0, b_col = b.cols() > 1 ? 1 : 0;
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) = f(a(i * a_row, j * a_col), b(i * b_row, j * b_col));
    }
  }
  return result;
}

/// The elements with column <= row + offset; zero elsewhere, whatever was there.
template <class Result>
Result on_and_below(const Result& a, Index offset) {
  Result result = Result::Constant(a.rows(), a.cols(), typename Result::Scalar(0));
  for (Index i = 0; i < a.rows(); ++i) {
    const Index kept = std::clamp<Index>(i + offset + 1, 0, a.cols());
    result.row(i).head(kept) = a.row(i).head(kept);
  }
  return result;
}

}  // namespace deltaproof
