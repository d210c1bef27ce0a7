#include "properties/claims/exact.hpp"

#include <algorithm>
#include <stdexcept>

namespace deltaproof::claims {
namespace {

void want(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

template <class Operation>
RationalMatrix by_elements(const RationalMatrix& a, const RationalMatrix& b, const Operation& operation) {
  want(a.rows() == b.rows() && a.columns() == b.columns(), "matrices of different shapes");
  RationalMatrix result(a.rows(), a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) result(i, j) = operation(a(i, j), b(i, j));
  }
  return result;
}

}  // namespace

RationalMatrix RationalMatrix::identity(std::size_t n) {
  RationalMatrix result(n, n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  return result;
}

RationalMatrix RationalMatrix::transposed() const {
  RationalMatrix result(columns_, rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < columns_; ++j) result(j, i) = (*this)(i, j);
  }
  return result;
}

RationalMatrix operator+(const RationalMatrix& a, const RationalMatrix& b) {
  return by_elements(a, b, [](const Rational& x, const Rational& y) -> Rational { return x + y; });
}

RationalMatrix operator-(const RationalMatrix& a, const RationalMatrix& b) {
  return by_elements(a, b, [](const Rational& x, const Rational& y) -> Rational { return x - y; });
}

RationalMatrix operator*(const RationalMatrix& a, const RationalMatrix& b) {
  want(a.columns() == b.rows(), "a product of matrices whose inner dimensions differ");
  RationalMatrix result(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < b.columns(); ++j) {
      for (std::size_t l = 0; l < a.columns(); ++l) result(i, j) += a(i, l) * b(l, j);
    }
  }
  return result;
}

RationalMatrix operator*(const Rational& factor, const RationalMatrix& a) {
  RationalMatrix result(a.rows(), a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) result(i, j) = factor * a(i, j);
  }
  return result;
}

RationalMatrix outer(const RationalVector& k, const RationalVector& e) {
  RationalMatrix result(k.size(), e.size());
  for (std::size_t i = 0; i < k.size(); ++i) {
    for (std::size_t j = 0; j < e.size(); ++j) result(i, j) = k[i] * e[j];
  }
  return result;
}

RationalVector transposed_times(const RationalMatrix& a, const RationalVector& x) {
  want(a.rows() == x.size(), "a vector of another length than the matrix has rows");
  RationalVector result(a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) result[j] += a(i, j) * x[i];
  }
  return result;
}

Rational dot(const RationalVector& x, const RationalVector& y) {
  want(x.size() == y.size(), "vectors of different lengths");
  Rational sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

Rational squared_norm(const RationalVector& x) { return dot(x, x); }

Rational squared_norm(const RationalMatrix& a) {
  Rational sum = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) sum += a(i, j) * a(i, j);
  }
  return sum;
}

RationalVector operator-(const RationalVector& x, const RationalVector& y) {
  want(x.size() == y.size(), "vectors of different lengths");
  RationalVector result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = x[i] - y[i];
  return result;
}

std::int64_t RationalDraw::integer(std::int64_t low, std::int64_t high) {
  // Not a distribution of the library: those differ from one library to the next.
  return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
}

Rational RationalDraw::any() {
  const std::int64_t top = integer(-9, 9);
  return Rational(top, integer(1, 6));
}

Rational RationalDraw::positive() {
  const std::int64_t top = integer(1, 9);
  return Rational(top, integer(1, 6));
}

Rational RationalDraw::unit() {
  const std::int64_t bottom = integer(2, 12);
  return Rational(integer(1, bottom - 1), bottom);
}

RationalVector RationalDraw::vector(std::size_t n) {
  RationalVector result(n);
  for (Rational& each : result) each = any();
  return result;
}

RationalVector RationalDraw::nonzero_vector(std::size_t n) {
  RationalVector result = vector(n);
  if (std::all_of(result.begin(), result.end(), [](const Rational& x) { return x == 0; })) result.at(0) = 1;
  return result;
}

RationalMatrix RationalDraw::matrix(std::size_t rows, std::size_t columns) {
  RationalMatrix result(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) result(i, j) = any();
  }
  return result;
}

Rational complexity_of(const Rational& value) { return Rational(abs(numerator(value)) + denominator(value) - 1); }

Rational complexity_of(const RationalVector& values) {
  Rational sum = 0;
  for (const Rational& each : values) sum += 1 + complexity_of(each);  // a longer vector of zeros is larger, too
  return sum;
}

Rational complexity_of(const RationalMatrix& value) {
  Rational sum = 0;
  for (std::size_t i = 0; i < value.rows(); ++i) {
    for (std::size_t j = 0; j < value.columns(); ++j) sum += 1 + complexity_of(value(i, j));
  }
  return sum;
}

std::string text(const Rational& value) { return value.str(); }

std::string text(const RationalVector& value) {
  std::string result = "(";
  for (std::size_t i = 0; i < value.size(); ++i) result.append(i == 0 ? "" : ", ").append(text(value[i]));
  return result.append(")");
}

std::string text(const RationalMatrix& value) {
  std::string result = "[";
  for (std::size_t i = 0; i < value.rows(); ++i) {
    if (i > 0) result.append("; ");
    for (std::size_t j = 0; j < value.columns(); ++j) result.append(j == 0 ? "" : ", ").append(text(value(i, j)));
  }
  return result.append("]");
}

std::string decimal(const Rational& value, int places) {
  using boost::multiprecision::cpp_int;
  const bool negative = value < 0;
  const cpp_int unit = boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(places));
  const Rational scaled = Rational(abs(value)) * Rational(unit) + Rational(1, 2);
  const cpp_int whole = numerator(scaled) / denominator(scaled);  // half away from zero
  std::string digits = whole.str();
  const auto wanted = static_cast<std::size_t>(places) + 1;
  if (digits.size() < wanted) digits.insert(0, wanted - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - static_cast<std::size_t>(places), 1, '.');
  if (negative && whole != 0) digits.insert(0, 1, '-');
  return digits;
}

}  // namespace deltaproof::claims
