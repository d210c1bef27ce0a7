#include "properties/claims/exact_elimination.hpp"

#include <stdexcept>
#include <utility>

namespace deltaproof::claims {
namespace {

void swap_rows(RationalMatrix& a, std::size_t i, std::size_t j) {
  for (std::size_t column = 0; column < a.columns(); ++column) std::swap(a(i, column), a(j, column));
}

/// Row `i` less `factor` times row `j`.
void reduce_row(RationalMatrix& a, std::size_t i, std::size_t j, const Rational& factor) {
  for (std::size_t column = 0; column < a.columns(); ++column) a(i, column) -= factor * a(j, column);
}

/// The first row from `from` with something in `column`; none: the number of rows.
std::size_t pivot_row(const RationalMatrix& a, std::size_t from, std::size_t column) {
  std::size_t row = from;
  while (row < a.rows() && a(row, column) == 0) ++row;
  return row;
}

void want_square(const RationalMatrix& a) {
  if (a.rows() != a.columns()) throw std::invalid_argument("a matrix that is not square");
}

}  // namespace

std::size_t rank(RationalMatrix a) {
  std::size_t found = 0;
  for (std::size_t column = 0; column < a.columns() && found < a.rows(); ++column) {
    const std::size_t row = pivot_row(a, found, column);
    if (row == a.rows()) continue;
    swap_rows(a, found, row);
    for (std::size_t i = found + 1; i < a.rows(); ++i) reduce_row(a, i, found, a(i, column) / a(found, column));
    ++found;
  }
  return found;
}

Rational determinant(RationalMatrix a) {
  want_square(a);
  Rational product = 1;
  for (std::size_t column = 0; column < a.columns(); ++column) {
    const std::size_t row = pivot_row(a, column, column);
    if (row == a.rows()) return 0;
    if (row != column) {
      swap_rows(a, column, row);
      product = -product;
    }
    product *= a(column, column);
    for (std::size_t i = column + 1; i < a.rows(); ++i) reduce_row(a, i, column, a(i, column) / a(column, column));
  }
  return product;
}

std::optional<RationalMatrix> solve(RationalMatrix a, RationalMatrix b) {
  want_square(a);
  if (a.rows() != b.rows()) throw std::invalid_argument("a right-hand side of another height than the matrix");
  for (std::size_t column = 0; column < a.columns(); ++column) {
    const std::size_t row = pivot_row(a, column, column);
    if (row == a.rows()) return std::nullopt;
    swap_rows(a, column, row);
    swap_rows(b, column, row);
    for (std::size_t i = 0; i < a.rows(); ++i) {
      if (i == column || a(i, column) == 0) continue;
      const Rational factor = a(i, column) / a(column, column);
      reduce_row(a, i, column, factor);
      reduce_row(b, i, column, factor);
    }
  }
  for (std::size_t i = 0; i < b.rows(); ++i) {
    for (std::size_t j = 0; j < b.columns(); ++j) b(i, j) /= a(i, i);
  }
  return b;
}

RationalMatrix beside(const RationalMatrix& a, const RationalMatrix& b) {
  if (a.rows() != b.rows()) throw std::invalid_argument("matrices of different heights");
  RationalMatrix result(a.rows(), a.columns() + b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) result(i, j) = a(i, j);
    for (std::size_t j = 0; j < b.columns(); ++j) result(i, a.columns() + j) = b(i, j);
  }
  return result;
}

}  // namespace deltaproof::claims
