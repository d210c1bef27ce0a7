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

Matrix DotError::error(const Matrix& x_size, const Matrix& y_size) const {
  const auto largest = [](const Matrix& m) { return m.size() == 0 ? 0 : m.maxCoeff(); };
  Matrix result = relative * (x_size * y_size);
  // Alignment at 2^-126 and subnormal results lose at most one step of 2^-149 a term.
  const double steps = static_cast<double>(x_size.cols() + 1) * 0x1p-149;
  result.array() += (floor + steps) * std::max({1.0, largest(x_size), largest(y_size)});
  return result;
}

Approximate dot(const Approximate& x, const Approximate& y, const DotError& accumulation) {
  const Matrix x_size = x.size();
  const Matrix y_size = y.size();
  Approximate result;
  result.exact.noalias() = x.exact * y.exact;
  result.error = accumulation.error(x_size, y_size);
  result.error.noalias() += x.error * y.size_at_state();
  result.error.noalias() += x_size * y.error;
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
  // A product below 2^-126 loses up to a step of 2^-149, unless a factor is exactly zero.
  const Matrix largest = (size + x.error).cwiseProduct(factor.cwiseAbs() + factor_error);
  result.error.array() += (largest.array() > 0).cast<double>() * 0x1p-149;
  if (x.drift.size() != 0) result.drift = x.drift.cwiseProduct(factor.cwiseAbs());
  return result;
}

}  // namespace deltaproof
