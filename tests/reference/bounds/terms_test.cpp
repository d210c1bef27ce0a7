#include <gtest/gtest.h>

#include "reference/bounds/terms.hpp"

namespace deltaproof {
namespace {

Matrix row(double a, double b) {
  Matrix m(1, 2);
  m << a, b;
  return m;
}

TEST(Terms, KeptApartOrAddedUpHaveTheSameSum) {
  for (const bool apart : {true, false}) {
    Terms terms(apart);
    terms.add("T", row(1, 2));
    terms.add("P", row(4, 8));
    terms.add("T", row(16, 32));
    EXPECT_EQ(terms.sum(1, 2), row(21, 42));
    EXPECT_EQ(terms.list().size(), apart ? 2u : 1u);
  }
}

TEST(Terms, OfTheSameNameAreOne) {
  Terms terms(true);
  terms.add("T", row(1, 2));
  terms.add("T", row(1, 2));
  ASSERT_EQ(terms.list().size(), 1u);
  EXPECT_EQ(terms.list()[0].name, "T");
  EXPECT_EQ(terms.list()[0].value, row(2, 4));
}

TEST(Terms, WithoutAnyAreZero) { EXPECT_EQ(Terms(true).sum(1, 2), row(0, 0)); }

TEST(Terms, AreMappedAddedAndScaled) {
  Terms inner(true), outer(true);
  inner.add("T", row(1, 2));
  inner.add("P", row(3, 5));
  Matrix left(2, 1);
  left << 2, 10;
  outer.add_mapped(left, inner);
  ASSERT_EQ(outer.list().size(), 2u);
  EXPECT_EQ(outer.list()[1].name, "P");
  Matrix expected(2, 2);
  expected << 6, 10, 30, 50;
  EXPECT_EQ(outer.list()[1].value, expected);
  outer.scale(0.5);
  EXPECT_EQ(outer.list()[1].value, 0.5 * expected);
  Matrix column(2, 1);
  column << 1, 0;
  outer.scale_rows(column);
  expected << 3, 5, 0, 0;
  EXPECT_EQ(outer.list()[1].value, expected);
  Terms all(true);
  all.add_all(outer);
  all.add_all(outer);
  EXPECT_EQ(all.sum(2, 2), 2 * outer.sum(2, 2));
}

}  // namespace
}  // namespace deltaproof
