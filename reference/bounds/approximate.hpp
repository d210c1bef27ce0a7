#pragma once

#include "reference/bounds/rounding.hpp"

namespace deltaproof {

/// A matrix a kernel computes from its own state S^ = S + delta, |delta| known.
/// `exact` is its exact value at the reference state S; the exact value at S^ is within `drift` of that
/// (0 x 0: no drift); the kernel's value is within `error` of the exact value at S^.
/// Drift is carried on by the adjoint with its sign, so it is no error here; it does enlarge operands.
struct Approximate {
  Matrix exact;
  Matrix error;
  Matrix drift = {};

  /// |exact value at S^|
  Matrix size_at_state() const;
  /// |the kernel's value|
  Matrix size() const;
  Approximate transpose() const;
};

/// A value the kernel holds exactly.
Approximate exactly(Matrix value);

/// After one more rounding point.
Approximate rounded(Approximate x, const Rounding& rounding);

/// Error of accumulating a dot: relative to |X||Y|, and absolute for each unit of the largest operand, which
/// subnormal factors cost (docs/tensor-core.md).
struct DotError {
  // NOLINTNEXTLINE(google-explicit-constructor): a relative error alone is the common case
  DotError(double relative_error, double absolute = 0) : relative(relative_error), floor(absolute) {}

  /// Error of X Y, given |X| and |Y|.
  Matrix error(const Matrix& x_size, const Matrix& y_size) const;

  double relative;
  double floor;
};

/// X Y as the kernel has it: operand errors, then accumulation (docs/loc.md, Lemma 2).
Approximate dot(const Approximate& x, const Approximate& y, const DotError& accumulation);

/// x o y elementwise, followed by fp32 roundings of total relative size `relative`. y is a column when x
/// has more columns: it then scales the rows of x. y has no drift.
Approximate hadamard(const Approximate& x, const Approximate& y, double relative);

}  // namespace deltaproof
