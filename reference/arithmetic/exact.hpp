#pragma once

#include <cmath>
#include <utility>

#include <boost/multiprecision/eigen.hpp>

#include "reference/arithmetic/broadcast.hpp"
#include "reference/arithmetic/reading.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof {

/// The reading without rounding: a text read so must give what the recurrence gives. T is double or Mpfr (with a
/// WorkingPrecision in scope).
template <class T>
class Exact {
 public:
  using Block = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  explicit Exact(Declared declared) : declared_(std::move(declared)) {}

  const Declared& declared() const { return declared_; }
  Block given(const Matrix& m) const { return m.template cast<T>(); }
  Block constant(double x) const { return Block::Constant(1, 1, T(x)); }
  Block zero(Index rows, Index cols) const { return Block::Constant(rows, cols, T(0)); }
  Block part(const Block& a, Index i, Index j, Index rows, Index cols) const { return a.block(i, j, rows, cols); }
  void place(Block& a, Index i, Index j, const Block& b) const { a.block(i, j, b.rows(), b.cols()) = b; }
  Block transpose(const Block& a) const { return a.transpose(); }
  Block lower(const Block& a) const { return on_and_below(a, 0); }
  Block strictly_lower(const Block& a) const { return on_and_below(a, -1); }
  Block negate(const Block& a) const { return -a; }
  Block add(const Block& a, const Block& b) const {
    return broadcast<Block>(a, b, [](const T& x, const T& y) { return T(x + y); });
  }
  Block subtract(const Block& a, const Block& b) const {
    return broadcast<Block>(a, b, [](const T& x, const T& y) { return T(x - y); });
  }
  Block times(const Block& a, const Block& b) const {
    return broadcast<Block>(a, b, [](const T& x, const T& y) { return T(x * y); });
  }
  Block fma(const Block& a, const Block& b, const Block& c) const { return add(times(a, b), c); }
  Block log2e() const {
    using std::log;
    return Block::Constant(1, 1, T(T(1) / log(T(2))));
  }
  Block exp2(const Block& a) const {
    using std::exp;
    using std::log;
    const T ln2 = log(T(2));
    return a.unaryExpr([&](const T& x) { return T(exp(T(x * ln2))); });
  }
  Block scan(const Block& g) const {
    Block sums = g;
    for (Index i = 1; i < g.rows(); ++i) sums.row(i) += sums.row(i - 1);
    return sums;
  }
  Block mma(const Block& c, const Block& a, const Block& b, Product) const { return Block(c + a * b); }
  Block merge(const Block& c, const Block& a, const Block& b) const { return Block(c + a * b); }
  Block inverse(const Block& L) const {
    Block x = Block::Identity(L.rows(), L.rows());
    for (Index i = 1; i < L.rows(); ++i) x.row(i).head(i) = -(L.row(i).head(i) * x.topLeftCorner(i, i)).eval();
    return x;
  }
  Block channel_sum(const Block& a, const Block& b) const { return a.cwiseProduct(b).rowwise().sum(); }
  Block subtract_dot(const Block& v, const Block& S, const Block& x, Index) const { return v - x.transpose() * S; }
  Block lane_dot(const Block& S, const Block& x, Index) const { return x.transpose() * S; }
  Block scaled_sum(const Block& x, const Block& y, const Block& s) const { return times(add(x, y), s); }
  Block round(const Block& a, Point) const { return a; }

 private:
  Declared declared_;
};

}  // namespace deltaproof
