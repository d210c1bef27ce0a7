#pragma once

#include "reference/problem/matrix.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof::simulated {

/// What a kernel holds: fp32, row-major, so that a row is a span.
using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The units that can accumulate a kernel's dots.
enum class Dots {
  hopper,  ///< bit-level tensor core
  ampere,
  fma,         ///< a chain of fp32 fused multiply-adds
  pairwise,    ///< fp32 products, pairwise sums
  exact_once,  ///< exact sum, rounded once: what every order is close to
};

/// C + A B^T, each element one dot of two rows (C empty: zero). `operand` is the type of the
/// factors; tf32 truncates them, whatever the unit.
Floats multiply(const Floats& A, const Floats& B_transposed, const Floats& C, Dots dots,
                Operand operand);

Floats to_floats(const Matrix& m);
Matrix to_matrix(const Floats& m);

}  // namespace deltaproof::simulated
