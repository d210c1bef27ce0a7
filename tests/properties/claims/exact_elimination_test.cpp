#include "properties/claims/exact_elimination.hpp"

#include <gtest/gtest.h>

namespace deltaproof::claims {
namespace {

RationalMatrix matrix(std::size_t rows, std::size_t columns, const RationalVector& values) {
  RationalMatrix result(rows, columns);
  for (std::size_t i = 0; i < values.size(); ++i) result(i / columns, i % columns) = values[i];
  return result;
}

TEST(Elimination, RankOfSumsOfOuterProducts) {
  EXPECT_EQ(rank(RationalMatrix(3, 2)), 0u);
  EXPECT_EQ(rank(outer({1, 2, 3}, {1, 1})), 1u);
  EXPECT_EQ(rank(outer({1, 2, 3}, {1, 1}) + outer({0, 1, 0}, {1, 0})), 2u);
  EXPECT_EQ(rank(RationalMatrix::identity(4)), 4u);
  EXPECT_EQ(rank(matrix(2, 3, {0, 0, 1, 0, 0, 2})), 1u) << "pivots need not be on the diagonal";
}

TEST(Elimination, DeterminantsOfSmallMatrices) {
  EXPECT_EQ(determinant(matrix(2, 2, {1, 2, 3, 4})), -2);
  EXPECT_EQ(determinant(matrix(2, 2, {0, 1, 1, 0})), -1) << "a swap of rows changes the sign";
  EXPECT_EQ(determinant(matrix(2, 2, {1, 2, 2, 4})), 0);
  EXPECT_EQ(determinant(RationalMatrix()), 1);
  EXPECT_THROW(determinant(RationalMatrix(2, 3)), std::invalid_argument);
}

TEST(Elimination, DeterminantOfAProductIsTheProduct) {
  RationalDraw draw(3);
  for (int i = 0; i < 20; ++i) {
    const RationalMatrix a = draw.matrix(4, 4), b = draw.matrix(4, 4);
    EXPECT_EQ(determinant(a * b), determinant(a) * determinant(b));
  }
}

TEST(Elimination, SolutionsSolve) {
  RationalDraw draw(4);
  int solved = 0;
  for (int i = 0; i < 20; ++i) {
    const RationalMatrix a = draw.matrix(4, 4), b = draw.matrix(4, 2);
    const auto x = solve(a, b);
    EXPECT_EQ(x.has_value(), determinant(a) != 0);
    if (x) {
      EXPECT_EQ(a * *x, b);
    }
    solved += x.has_value();
  }
  EXPECT_GT(solved, 10);
  EXPECT_EQ(text(*solve(matrix(2, 2, {0, 1, 1, 0}), matrix(2, 1, {3, 5}))), "[5; 3]");
}

TEST(Elimination, ASingularSystemHasNoSolutionToShow) {
  EXPECT_FALSE(solve(matrix(2, 2, {1, 1, 1, 1}), matrix(2, 1, {1, 1})).has_value());
  EXPECT_THROW(solve(RationalMatrix(2, 2), RationalMatrix(3, 1)), std::invalid_argument);
  EXPECT_THROW(solve(RationalMatrix(2, 3), RationalMatrix(2, 1)), std::invalid_argument);
}

TEST(Elimination, MatricesSideBySide) {
  EXPECT_EQ(text(beside(matrix(2, 1, {1, 2}), matrix(2, 1, {3, 4}))), "[1, 3; 2, 4]");
  EXPECT_THROW(beside(RationalMatrix(1, 1), RationalMatrix(2, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace deltaproof::claims
