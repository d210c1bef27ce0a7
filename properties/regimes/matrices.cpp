#include "properties/regimes/matrices.hpp"

#include <cmath>
#include <utility>

namespace deltaproof::draw {

Matrix rounded(const Format& format, Matrix matrix) {
  for (Index i = 0; i < matrix.size(); ++i)
    matrix.data()[i] = round_to_nearest_even(format, matrix.data()[i]);
  return matrix;
}

Matrix normals(Index rows, Index columns, Generator& generator) {
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = generator.normal();
  return matrix;
}

double square_of_row(const Matrix& matrix, Index row) {
  double square = 0;
  for (Index i = 0; i < matrix.cols(); ++i) square += matrix(row, i) * matrix(row, i);
  return square;
}

void scale_row_to_unit(Matrix& matrix, Index row) {
  const double norm = std::sqrt(square_of_row(matrix, row));
  if (norm == 0) return;
  for (Index i = 0; i < matrix.cols(); ++i) matrix(row, i) /= norm;
}

void scale_rows_to_unit(Matrix& matrix) {
  for (Index t = 0; t < matrix.rows(); ++t) scale_row_to_unit(matrix, t);
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result = Matrix::Zero(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index l = 0; l < a.cols(); ++l)
      for (Index j = 0; j < b.cols(); ++j) result(i, j) += a(i, l) * b(l, j);
  return result;
}

}  // namespace deltaproof::draw
