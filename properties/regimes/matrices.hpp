#pragma once

#include "properties/regimes/generator.hpp"
#include "reference/problem/format.hpp"
#include "reference/problem/matrix.hpp"

namespace deltaproof::draw {

// Sums in order: a library's vectorised norm or product depends on the machine.

Matrix rounded(const Format& format, Matrix matrix);
Matrix normals(Index rows, Index columns, Generator& generator);
/// Sum of squares of a row.
double square_of_row(const Matrix& matrix, Index row);
/// Divides a row by its norm; a row of zeros stays.
void scale_row_to_unit(Matrix& matrix, Index row);
void scale_rows_to_unit(Matrix& matrix);
Matrix product(const Matrix& a, const Matrix& b);

}  // namespace deltaproof::draw
