// Which places of an axis are meant, in words.
#include "properties/diagnose/explain/axis_words.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace deltaproof {
namespace {

using Places = std::vector<std::int64_t>;

Places first(std::int64_t count) {
  Places places(static_cast<std::size_t>(count));
  std::iota(places.begin(), places.end(), 0);
  return places;
}

TEST(AxisWords, EachShapeHasItsOwn) {
  EXPECT_EQ(axis_words("head", first(8), first(8)), "all 8 heads");
  EXPECT_EQ(axis_words("head", {1}, first(8)), "head 1 alone (1 of 8)");
  EXPECT_EQ(axis_words("head", {1, 5}, first(8)), "heads 1, 5 (2 of 8)");
  EXPECT_EQ(axis_words("chunk", {2, 3, 4, 5}, first(6)), "chunks from 2 on (4 of 6)");
  EXPECT_EQ(axis_words("chunk", {0, 1, 2, 3}, first(6)), "chunks up to 3 (4 of 6)");
  EXPECT_EQ(axis_words("column", {4, 5, 6, 7}, first(16)), "columns 4 to 7 (4 of 16)");
  EXPECT_EQ(axis_words("column", {3, 7, 11, 15}, first(16)), "every 4th column from 3 on (4 of 16)");
  EXPECT_EQ(axis_words("position", {0, 1, 2, 4, 5, 6, 8, 9, 10}, first(16)), "9 of 16 positions, between 0 and 10");
}

TEST(AxisWords, OnePlaceIsNoAxis) { EXPECT_EQ(axis_words("sequence", {0}, {0}), ""); }

// All that leave the same remainder, not some of them.
TEST(AxisWords, AStrideHasNoGaps) {
  EXPECT_EQ(stride_of({1, 3, 5, 7}, first(8)), 2);
  EXPECT_EQ(stride_of({1, 3, 7}, first(8)), 0);
  EXPECT_EQ(stride_of({1, 3, 5}, first(8)), 0);
  EXPECT_EQ(stride_of({1, 5}, first(8)), 0);
}

TEST(AxisWords, Ordinals) {
  EXPECT_EQ(ordinal(1) + ordinal(2) + ordinal(3) + ordinal(4), "1st2nd3rd4th");
  EXPECT_EQ(ordinal(11) + ordinal(22) + ordinal(113), "11th22nd113th");
}

}  // namespace
}  // namespace deltaproof
