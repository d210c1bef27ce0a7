#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// Exact arithmetic for claims: what is worked out here is proved for the instance, without any rounding.
namespace deltaproof::claims {

using Rational = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;
using RationalVector = std::vector<Rational>;

/// Dense, by rows.
class RationalMatrix {
 public:
  RationalMatrix() = default;
  RationalMatrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}
  static RationalMatrix identity(std::size_t n);
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Rational& operator()(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  const Rational& operator()(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }
  RationalMatrix transposed() const;
  bool operator==(const RationalMatrix&) const = default;

 private:
  std::size_t rows_ = 0, columns_ = 0;
  RationalVector values_;
};

/// Shapes must agree: throws std::invalid_argument.
RationalMatrix operator+(const RationalMatrix& a, const RationalMatrix& b);
RationalMatrix operator-(const RationalMatrix& a, const RationalMatrix& b);
RationalMatrix operator*(const RationalMatrix& a, const RationalMatrix& b);
RationalMatrix operator*(const Rational& factor, const RationalMatrix& a);
/// k e^T.
RationalMatrix outer(const RationalVector& k, const RationalVector& e);
/// A^T x.
RationalVector transposed_times(const RationalMatrix& a, const RationalVector& x);
Rational dot(const RationalVector& x, const RationalVector& y);
/// Sum of squares.
Rational squared_norm(const RationalVector& x);
Rational squared_norm(const RationalMatrix& a);
RationalVector operator-(const RationalVector& x, const RationalVector& y);

/// Small fractions p/q, |p| <= 9, 1 <= q <= 6: exact work stays cheap.
class RationalDraw {
 public:
  explicit RationalDraw(std::uint64_t seed) : engine_(seed) {}
  std::int64_t integer(std::int64_t low, std::int64_t high);  ///< both included
  Rational any();
  Rational positive();
  Rational unit();  ///< in (0, 1)
  RationalVector vector(std::size_t n);
  RationalVector nonzero_vector(std::size_t n);
  RationalMatrix matrix(std::size_t rows, std::size_t columns);

 private:
  std::mt19937_64 engine_;
};

/// Of an instance: the sum of numerators and denominators, and one for each element. Instances are tried smallest first.
Rational complexity_of(const Rational& value);
Rational complexity_of(const RationalVector& values);
Rational complexity_of(const RationalMatrix& value);

/// "3/4", "-2".
std::string text(const Rational& value);
/// "[1, 1/2; 0, 3]".
std::string text(const RationalMatrix& value);
/// "(1, 1/2)".
std::string text(const RationalVector& value);
/// Decimal, rounded to nearest: decimal(1/3, 2) = "0.33".
std::string decimal(const Rational& value, int places);

}  // namespace deltaproof::claims
