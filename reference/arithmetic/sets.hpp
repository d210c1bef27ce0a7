#pragma once

#include "reference/arithmetic/reading.hpp"
#include "reference/arithmetic/resolved.hpp"

namespace deltaproof {

/// A matrix of intervals: every value that a kernel of the declared arithmetic may have lies in
/// [centre - radius, centre + radius]. Radius 0: it is known to the bit. An infinite radius: nothing is known.
struct SetBlock {
  Matrix centre, radius;

  Index rows() const { return centre.rows(); }
  Index cols() const { return centre.cols(); }
};

/// The set-valued reading, the bound PIN (docs/pin.md): rounding maps an interval to the hull of its images, a
/// dot adds what its accumulator may lose in any order, an inverse has the exact inverse as centre and its
/// theorem's radius. It holds for every order of a scan of the declared depth, every order and splitting of a
/// dot, every contraction of a sum of products into fma, and 2^x within `exp_error`.
class Sets {
 public:
  using Block = SetBlock;

  /// `tensor_core`: whose accumulation is allowed for.
  Sets(Resolved resolved, const TensorCoreModel& tensor_core);

  const Declared& declared() const { return resolved_.declared; }
  const Resolved& resolved() const { return resolved_; }
  Block given(const Matrix& m) const { return {m, Matrix::Zero(m.rows(), m.cols())}; }
  Block given(const Matrix& m, const Matrix& radius) const { return {m, radius}; }
  Block constant(double x) const;
  Block zero(Index rows, Index cols) const { return given(Matrix::Zero(rows, cols)); }
  Block part(const Block& a, Index i, Index j, Index rows, Index cols) const;
  void place(Block& a, Index i, Index j, const Block& b) const;
  Block transpose(const Block& a) const { return {a.centre.transpose(), a.radius.transpose()}; }
  Block lower(const Block& a) const;
  Block strictly_lower(const Block& a) const;
  Block negate(const Block& a) const { return {-a.centre, a.radius}; }
  Block add(const Block& a, const Block& b) const;
  Block subtract(const Block& a, const Block& b) const;
  Block times(const Block& a, const Block& b) const;
  Block fma(const Block& a, const Block& b, const Block& c) const;
  Block log2e() const { return constant(1.4426950408889634); }
  Block exp2(const Block& a) const;
  Block scan(const Block& g) const;
  Block mma(const Block& c, const Block& a, const Block& b, Product product) const;
  Block merge(const Block& c, const Block& a, const Block& b) const;
  Block inverse(const Block& L) const;
  Block channel_sum(const Block& a, const Block& b) const;
  Block subtract_dot(const Block& v, const Block& S, const Block& x, Index lanes) const;
  Block lane_dot(const Block& S, const Block& x, Index lanes) const;
  Block scaled_sum(const Block& x, const Block& y, const Block& s) const;
  Block round(const Block& a, Point point) const;

 private:
  Block product(const Block& c, const Block& a, const Block& b, const TensorCoreModel& model, Operand operand,
                int parts) const;

  Resolved resolved_;
  const TensorCoreModel& tensor_core_;
};

}  // namespace deltaproof
