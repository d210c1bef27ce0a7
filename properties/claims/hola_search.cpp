#include "properties/claims/hola_search.hpp"

#include <stdexcept>

namespace deltaproof::claims {

bool related(const RationalMatrix& left, Relation relation, const RationalMatrix& right) {
  if (relation == Relation::equal) return left == right;
  if (left.rows() != right.rows() || left.columns() != right.columns()) {
    throw std::invalid_argument("matrices of different shapes");
  }
  for (std::size_t i = 0; i < left.rows(); ++i) {
    for (std::size_t j = 0; j < left.columns(); ++j) {
      if (left(i, j) > right(i, j)) return false;
    }
  }
  return true;
}

std::string brief(const RationalMatrix& value) {
  return value.rows() == 1 && value.columns() == 1 ? text(value(0, 0)) : text(value);
}

Check noting(const Check& check, const std::string& sentence) {
  return [=](const Effort& effort) {
    Result result = check(effort);
    result.finding.append(" ").append(sentence);
    return result;
  };
}

RationalVector unit_vector(RationalDraw& draw, std::size_t n) {
  // x in R^(n-1) -> (2x, |x|^2 - 1) / (|x|^2 + 1) is on the sphere, for every rational x.
  RationalVector x = draw.vector(n - 1);
  const Rational square = squared_norm(x);
  for (Rational& each : x) each = 2 * each / (square + 1);
  x.push_back((square - 1) / (square + 1));
  return x;
}

}  // namespace deltaproof::claims
