// Orders of sums that no recording decides, on terms that tell them apart.
#include <gtest/gtest.h>

#include <vector>

#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/channel_layout.hpp"

namespace deltaproof {
namespace {

// x x = 1 + 2^-11 + 2^-24 lies on a midpoint and is rounded to 1 + 2^-11: x x + y is `seen` if x x is fused, else 0.
constexpr float x = 1 + 0x1p-12f, y = -(1 + 0x1p-11f), seen = 0x1p-24f;

using Terms = std::vector<std::pair<std::size_t, float>>;  // channel, value

float sum(ChannelSum order, std::size_t n, std::size_t squared, const Terms& others) {
  std::vector<float> a(n), b(n, 1.0f);
  if (squared < n) a[squared] = b[squared] = x;
  for (const auto& [channel, value] : others) a[channel] = value;
  return sum_over_channels(order, a, b);
}

float sum_of(ChannelSum order, std::size_t n, const Terms& terms) { return sum(order, n, n, terms); }

TEST(ChannelSum, ALaneFusesItsFirstProductOntoTheSecond) {
  for (const ChannelSum order : {ChannelSum::eight, ChannelSum::four, ChannelSum::two}) {
    EXPECT_EQ(sum(order, 64, 0, {{1, y}}), seen);
    EXPECT_EQ(sum(order, 64, 1, {{0, y}}), 0);
  }
}

TEST(ChannelSum, OrItsSecondProductOntoTheFirst) {
  EXPECT_EQ(sum(ChannelSum::four_second_fused, 64, 1, {{0, y}}), seen);
  EXPECT_EQ(sum(ChannelSum::four_second_fused, 64, 0, {{1, y}}), 0);
  EXPECT_EQ(sum(ChannelSum::four_second_fused, 64, 3, {{2, y}}), seen);
}

TEST(ChannelSum, ALaneFusesItsOtherProductsInAscendingOrder) {
  EXPECT_EQ(sum(ChannelSum::eight, 64, 7, {{6, y}}), seen);
  EXPECT_EQ(sum(ChannelSum::eight, 64, 2, {{3, y}}), 0);
  EXPECT_EQ(sum(ChannelSum::four, 64, 4, {{3, y}}), 0);  // another lane
  EXPECT_EQ(sum(ChannelSum::four, 64, 3, {{2, y}}), seen);
}

TEST(ChannelSum, AscendingIsOneChainFromZero) {
  for (const std::size_t c : {1, 7, 8, 33}) {
    EXPECT_EQ(sum(ChannelSum::ascending, 64, c, {{c - 1, y}}), seen);
    EXPECT_EQ(sum(ChannelSum::ascending, 64, c - 1, {{c, y}}), 0);
  }
  EXPECT_EQ(sum_of(ChannelSum::ascending, 32, {{0, 1.0f}, {8, 0x1p-24f}, {24, 0x1p-24f}}), 1);
}

TEST(ChannelSum, LanesAreAddedByHalves) {
  // Four lanes of 8: lanes 1 and 3 first, then with lane 0; one by one they would be lost beside 1.
  EXPECT_EQ(sum_of(ChannelSum::eight, 32, {{0, 1.0f}, {8, 0x1p-24f}, {24, 0x1p-24f}}), 1 + 0x1p-23f);
  EXPECT_EQ(sum_of(ChannelSum::eight, 32, {{0, 1.0f}, {16, 0x1p-24f}, {24, 0x1p-24f}}), 1);
}

TEST(ChannelSum, WithOneChannelALaneTheFirstHalvingFusesTheLower) {
  EXPECT_EQ(sum(ChannelSum::one, 64, 0, {{16, y}}), seen);
  EXPECT_EQ(sum(ChannelSum::one, 64, 16, {{0, y}}), 0);
  EXPECT_EQ(sum(ChannelSum::one, 64, 0, {{1, y}}), 0);
  EXPECT_EQ(sum(ChannelSum::one, 64, 32, {{48, y}}), seen);
}

TEST(ChannelSum, WarpsAreAddedLast) {
  EXPECT_EQ(sum_of(ChannelSum::one, 64, {{0, 1.0f}, {32, 0x1p-24f}, {33, 0x1p-24f}}), 1 + 0x1p-23f);
  EXPECT_EQ(sum_of(ChannelSum::one, 64, {{0, 1.0f}, {1, 0x1p-24f}, {33, 0x1p-24f}}), 1);
  // Four warps by halves: 1 and 3 first.
  EXPECT_EQ(sum_of(ChannelSum::one, 128, {{0, 1.0f}, {32, 0x1p-24f}, {96, 0x1p-24f}}), 1 + 0x1p-23f);
}

TEST(ChannelSum, FewChannelsFillNoLane) {
  EXPECT_EQ(sum(ChannelSum::eight, 2, 0, {{1, y}}), seen);
  EXPECT_EQ(sum_of(ChannelSum::eight, 1, {{0, 3.0f}}), 3);
}

TEST(EvensFirst, TakesTheEvenOnesOfEach16) {
  MatrixF a(1, 19);
  for (Index j = 0; j < a.cols(); ++j) a(0, j) = static_cast<float>(j + 1);
  const MatrixF b = evens_first(a);
  ASSERT_EQ(b.cols(), 32);
  const float first[] = {1, 3, 5, 7, 9, 11, 13, 15, 2, 4, 6, 8, 10, 12, 14, 16, 17, 19, 0, 0, 0, 0, 0, 0, 18};
  for (Index j = 0; j < 32; ++j) EXPECT_EQ(b(0, j), j < 25 ? first[j] : 0) << j;
}

// (I + L)^{-1} at row 15, column 0, where L has only that column, `squared` x and `other` y, and row 15: it is the
// sum over rows of the substitution.
float last_row(RowSum order, Index squared, Index other) {
  Declared declared = built_in("fla-kda-chunk", Rule::vector_decay_delta).value();
  declared.row_sum = order;
  MatrixF L = MatrixF::Zero(16, 16);
  L(squared, 0) = L(15, squared) = x;
  L(other, 0) = y;
  L(15, other) = 1;
  return Bits(resolve(declared, formats::bf16, formats::bf16, false, false)).inverse(L)(15, 0);
}

TEST(RowSum, PairsRowsAsTheWarpsDo) {
  // Rows that are added first, the fused one before the other; other orders lose the sum.
  const struct {
    RowSum order;
    Index squared, other;
  } pairs[] = {{RowSum::halves_lower_fused, 1, 9},
               {RowSum::halves_upper_fused, 9, 1},
               {RowSum::eights_lower_fused, 1, 5},
               {RowSum::fours_lower_fused, 1, 3},
               {RowSum::twos_lower_fused, 2, 3}};
  for (const auto& computed : pairs) {
    for (const auto& pair : pairs) {
      EXPECT_EQ(last_row(computed.order, pair.squared, pair.other), computed.order == pair.order ? seen : 0);
    }
  }
}

TEST(RowSum, AddsGroupsOfRowsByHalves) {
  // Four groups of four rows: 0 with 2 and 1 with 3; beside 1, terms of 2^-24 are lost one by one.
  const auto of = [](RowSum order, Index large, Index small, Index other) {
    Declared declared = built_in("fla-kda-chunk", Rule::vector_decay_delta).value();
    declared.row_sum = order;
    MatrixF L = MatrixF::Zero(16, 16);
    for (const Index row : {large, small, other}) L(15, row) = 1;
    L(large, 0) = 1;
    L(small, 0) = L(other, 0) = 0x1p-24f;
    return Bits(resolve(declared, formats::bf16, formats::bf16, false, false)).inverse(L)(15, 0);
  };
  EXPECT_EQ(of(RowSum::fours_lower_fused, 1, 5, 13), 1 + 0x1p-23f);
  EXPECT_EQ(of(RowSum::fours_lower_fused, 1, 9, 13), 1);
  EXPECT_EQ(of(RowSum::eights_lower_fused, 1, 9, 10), 1 + 0x1p-23f);
  EXPECT_EQ(of(RowSum::eights_lower_fused, 1, 2, 9), 1);
}

}  // namespace
}  // namespace deltaproof
