#include "properties/claims/exact.hpp"

#include <gtest/gtest.h>

#include <set>

namespace deltaproof::claims {
namespace {

RationalMatrix matrix(std::size_t rows, std::size_t columns, const RationalVector& values) {
  RationalMatrix result(rows, columns);
  for (std::size_t i = 0; i < values.size(); ++i) result(i / columns, i % columns) = values[i];
  return result;
}

TEST(Exact, MultipliesMatricesRowByColumn) {
  const RationalMatrix a = matrix(2, 3, {1, 2, 3, 4, 5, 6}), b = matrix(3, 1, {1, Rational(1, 2), -1});
  EXPECT_EQ(text(a * b), "[-1; 1/2]");
  EXPECT_EQ(RationalMatrix::identity(2) * a, a);
  EXPECT_EQ(text(a.transposed()), "[1, 4; 2, 5; 3, 6]");
  EXPECT_EQ((a * b).transposed(), b.transposed() * a.transposed());
}

TEST(Exact, AddsSubtractsAndScales) {
  const RationalMatrix a = matrix(1, 2, {1, 2}), b = matrix(1, 2, {Rational(1, 3), -2});
  EXPECT_EQ(text(a + b), "[4/3, 0]");
  EXPECT_EQ(text(a - b), "[2/3, 4]");
  EXPECT_EQ(text(Rational(3, 2) * a), "[3/2, 3]");
}

TEST(Exact, OuterProductReadsBackByInnerProduct) {
  const RationalVector k{1, -2}, e{3, Rational(1, 2), 0};
  EXPECT_EQ(text(outer(k, e)), "[3, 1/2, 0; -6, -1, 0]");
  EXPECT_EQ(text(transposed_times(outer(k, e), k)), "(15, 5/2, 0)") << "|k|^2 e";
  EXPECT_EQ(squared_norm(outer(k, e)), squared_norm(k) * squared_norm(e));
  EXPECT_EQ(dot(k, k), 5);
}

TEST(Exact, RefusesShapesThatDoNotMeet) {
  const RationalMatrix a(2, 3), b(2, 2);
  EXPECT_THROW(a + b, std::invalid_argument);
  EXPECT_THROW(a - b, std::invalid_argument);
  EXPECT_THROW(a * b, std::invalid_argument);
  EXPECT_THROW(transposed_times(a, {1, 2, 3}), std::invalid_argument);
  EXPECT_THROW(dot({1}, {1, 2}), std::invalid_argument);
  EXPECT_THROW((RationalVector{1} - RationalVector{1, 2}), std::invalid_argument);
}

TEST(Exact, RoundsDecimalsHalfAwayFromZero) {
  EXPECT_EQ(decimal(Rational(1, 3), 2), "0.33");
  EXPECT_EQ(decimal(Rational(2, 3), 2), "0.67");
  EXPECT_EQ(decimal(Rational(1, 200), 2), "0.01");
  EXPECT_EQ(decimal(Rational(-1, 200), 2), "-0.01");
  EXPECT_EQ(decimal(Rational(-1, 300), 2), "0.00") << "no negative zero";
  EXPECT_EQ(decimal(Rational(5, 2), 0), "3");
  EXPECT_EQ(decimal(1234, 1), "1234.0");
  EXPECT_EQ(decimal(0, 3), "0.000");
}

TEST(Exact, PrintsFractionsInLowestTerms) {
  EXPECT_EQ(text(Rational(6, 8)), "3/4");
  EXPECT_EQ(text(Rational(-4, 2)), "-2");
  EXPECT_EQ(text(RationalVector{}), "()");
}

TEST(RationalDraw, RepeatsForASeedAndKeepsItsRanges) {
  RationalDraw one(7), same(7), other(8);
  std::set<std::string> seen;
  bool differs = false;
  for (int i = 0; i < 200; ++i) {
    const Rational value = one.any();
    EXPECT_EQ(value, same.any());
    differs = differs || value != other.any();
    EXPECT_LE(abs(value), 9);
    EXPECT_GT(one.positive(), 0);
    same.positive();
    const Rational share = one.unit();
    EXPECT_GT(share, 0);
    EXPECT_LT(share, 1);
    same.unit();
    other.positive(), other.unit();
    seen.insert(text(value));
  }
  EXPECT_TRUE(differs);
  EXPECT_GT(seen.size(), 20u);
}

TEST(RationalDraw, NonzeroVectorsAreNotZero) {
  RationalDraw draw(1);
  for (int i = 0; i < 500; ++i) EXPECT_NE(squared_norm(draw.nonzero_vector(1)), 0);
}

}  // namespace
}  // namespace deltaproof::claims
