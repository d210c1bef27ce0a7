#include "reference/bounds/terms.hpp"

namespace deltaproof {

void Terms::add(const std::string& name, const Matrix& value) {
  for (Term& term : terms_) {
    if (!apart_ || term.name == name) {
      term.value += value;
      return;
    }
  }
  terms_.push_back({name, value});
}

void Terms::add_mapped(const Matrix& left, const Terms& other) {
  for (const Term& term : other.terms_) add(term.name, left * term.value);
}

void Terms::add_all(const Terms& other) {
  for (const Term& term : other.terms_) add(term.name, term.value);
}

void Terms::scale(double factor) {
  for (Term& term : terms_) term.value *= factor;
}

void Terms::scale_rows(const Matrix& column) {
  for (Term& term : terms_) term.value = column.col(0).asDiagonal() * term.value;
}

Matrix Terms::sum(Index rows, Index columns) const {
  Matrix total = Matrix::Zero(rows, columns);
  for (const Term& term : terms_) total += term.value;
  return total;
}

}  // namespace deltaproof
