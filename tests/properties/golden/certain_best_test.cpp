// Which tokens a cache keeps whatever the scores are in their enclosures.
#include "properties/golden/certain_best.hpp"

#include <gtest/gtest.h>

namespace deltaproof::golden {
namespace {

Interval between(double low, double high) {
  Interval x;
  mpfi_interv_d(x.backend().data(), low, high);
  return x;
}

using Tokens = std::vector<Index>;

TEST(CertainBest, KeepsTheHighestWhereEnclosuresAreApart) {
  const WorkingPrecision precision(64);
  const std::vector<Interval> scores{between(1, 2), between(5, 6), between(3, 4), between(0, 0.5)};
  EXPECT_EQ(certain_best(scores, {0, 1, 2, 3}, 2), (Tokens{1, 2}));
  EXPECT_EQ(certain_best(scores, {0, 3}, 1), (Tokens{0}));
  EXPECT_EQ(certain_best(scores, {0, 1}, 5), (Tokens{0, 1}));
  EXPECT_EQ(certain_best(scores, {0, 1}, 0), Tokens{});
}

TEST(CertainBest, AnOverlapMattersOnlyAtTheEdge) {
  const WorkingPrecision precision(64);
  const std::vector<Interval> scores{between(1, 3), between(2, 4), between(10, 11), between(10.5, 12)};
  EXPECT_EQ(certain_best(scores, {0, 1, 2, 3}, 2), (Tokens{2, 3}));
  EXPECT_FALSE(certain_best(scores, {0, 1, 2, 3}, 3));
  EXPECT_FALSE(certain_best(scores, {0, 1, 2, 3}, 1));
}

TEST(CertainBest, AnExactTieGoesToTheEarlierToken) {
  const WorkingPrecision precision(64);
  const std::vector<Interval> scores{between(1, 1), between(1, 1), between(1, 1)};
  EXPECT_EQ(certain_best(scores, {0, 1, 2}, 2), (Tokens{0, 1}));
  EXPECT_EQ(certain_best(scores, {2, 1}, 1), (Tokens{1}));
}

TEST(CertainBest, WhereEnclosuresTouchTheEarlierTokenIsCertainOnlyAbove) {
  const WorkingPrecision precision(64);
  EXPECT_EQ(certain_best(std::vector<Interval>{between(2, 3), between(1, 2)}, {0, 1}, 1), (Tokens{0}));
  EXPECT_FALSE(certain_best(std::vector<Interval>{between(1, 2), between(2, 3)}, {0, 1}, 1));
}

}  // namespace
}  // namespace deltaproof::golden
