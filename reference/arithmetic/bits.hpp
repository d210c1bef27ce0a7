#pragma once

#include "reference/arithmetic/reading.hpp"
#include "reference/arithmetic/resolved.hpp"

namespace deltaproof {

/// Dense row-major matrix of fp32 values.
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The reading to the bit: every value is the one that the declared kernel has in fp32. Sums and products are
/// IEEE to nearest without flush to zero; dots are the tensor core's; 2^x is the GPU's instruction. Where the
/// declaration does not say which tensor core (`any`), Hopper's is taken.
class Bits {
 public:
  using Block = MatrixF;

  explicit Bits(Resolved resolved);

  const Declared& declared() const { return resolved_.declared; }
  const Resolved& resolved() const { return resolved_; }
  Block given(const Matrix& m) const { return m.cast<float>(); }
  Block constant(double x) const { return Block::Constant(1, 1, static_cast<float>(x)); }
  Block zero(Index rows, Index cols) const { return Block::Zero(rows, cols); }
  Block part(const Block& a, Index i, Index j, Index rows, Index cols) const { return a.block(i, j, rows, cols); }
  void place(Block& a, Index i, Index j, const Block& b) const { a.block(i, j, b.rows(), b.cols()) = b; }
  Block transpose(const Block& a) const { return a.transpose(); }
  Block lower(const Block& a) const;
  Block strictly_lower(const Block& a) const;
  Block negate(const Block& a) const;
  Block add(const Block& a, const Block& b) const;
  Block subtract(const Block& a, const Block& b) const;
  Block times(const Block& a, const Block& b) const;
  Block fma(const Block& a, const Block& b, const Block& c) const;
  Block log2e() const;
  Block exp2(const Block& a) const;
  Block scan(const Block& g) const;
  Block mma(const Block& c, const Block& a, const Block& b, Product product) const;
  Block merge(const Block& c, const Block& a, const Block& b) const;
  Block inverse(const Block& L) const;
  Block channel_sum(const Block& a, const Block& b) const;
  Block subtract_dot(const Block& v, const Block& S, const Block& x, Index lanes) const {
    return subtract(v, lane_dot(S, x, lanes));
  }
  Block lane_dot(const Block& S, const Block& x, Index lanes) const;
  Block scaled_sum(const Block& x, const Block& y, const Block& s) const;
  Block round(const Block& a, Point point) const;

 private:
  bool takes_evens_first(Product product) const;
  Block dot(const Block& c, const Block& a, const Block& b, Product product) const;

  Resolved resolved_;
  const TensorCoreModel* tensor_core_;
};

}  // namespace deltaproof
