#include "reference/bounds/approximate.hpp"

#include <algorithm>
#include <utility>

namespace deltaproof {

Matrix Approximate::size_at_state() const {
  return drift.size() == 0 ? Matrix(exact.cwiseAbs()) : Matrix(exact.cwiseAbs() + drift);
}

Matrix Approximate::size() const { return size_at_state() + error; }

Approximate Approximate::transpose() const {
  return {exact.transpose(), error.transpose(), drift.transpose()};
}

Approximate exactly(Matrix value) {
  Matrix zero = Matrix::Zero(value.rows(), value.cols());
  return {std::move(value), std::move(zero)};
}

Approximate rounded(Approximate x, const Rounding& rounding) {
  if (rounding.mode != Rounding::Mode::exact) x.error += rounding.error(x.size());
  return x;
}

Approximate dot(const Approximate& x, const Approximate& y, double accumulation) {
  const Matrix x_size = x.size();
  const Matrix y_size = y.size();
  Approximate result;
  result.exact.noalias() = x.exact * y.exact;
  result.error.noalias() = accumulation * (x_size * y_size);
  result.error.noalias() += x.error * y.size_at_state();
  result.error.noalias() += x_size * y.error;
  // Alignment at 2^-126 and subnormal numbers lose at most one step of 2^-149 a term, times the other factor.
  const double largest = std::max({1.0, x_size.size() ? x_size.maxCoeff() : 0.0,
                                   y_size.size() ? y_size.maxCoeff() : 0.0});
  result.error.array() += static_cast<double>(x.exact.cols() + 1) * 0x1p-149 * largest;
  if (x.drift.size() != 0 || y.drift.size() != 0) {
    result.drift = x.size_at_state() * y.size_at_state() - x.exact.cwiseAbs() * y.exact.cwiseAbs();
  }
  return result;
}

Approximate hadamard(const Approximate& x, const Approximate& y, double relative) {
  const Index columns = x.exact.cols();
  const bool column = y.exact.cols() != columns;
  const Matrix factor = column ? Matrix(y.exact.col(0).replicate(1, columns)) : y.exact;
  const Matrix factor_error = column ? Matrix(y.error.col(0).replicate(1, columns)) : y.error;
  Approximate result;
  result.exact = x.exact.cwiseProduct(factor);
  const Matrix size = x.size_at_state();
  result.error = x.error.cwiseProduct(factor.cwiseAbs() + factor_error) + size.cwiseProduct(factor_error);
  result.error = (1 + relative) * result.error + relative * size.cwiseProduct(factor.cwiseAbs());
  if (x.drift.size() != 0) result.drift = x.drift.cwiseProduct(factor.cwiseAbs());
  return result;
}

}  // namespace deltaproof
