// What each damage of recorded outputs changes: exactly the elements that its sentence names.
#include <gtest/gtest.h>

#include <cmath>

#include "properties/defects/tensor_edit.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

Outputs damaged(std::string_view id, std::uint64_t place = 0) {
  return strong_decay_bench().outputs(*find_defect(id), place);
}

struct Element {
  std::int64_t outer, head, row, column;
  double before, after;
};

std::vector<Element> changes(const std::string& tensor, const Outputs& outputs) {
  TensorEdit before(*strong_decay().outputs, tensor), after(outputs, tensor);
  std::vector<Element> found;
  for (std::int64_t o = 0; o < before.outer; ++o)
    for (std::int64_t h = 0; h < before.heads; ++h)
      for (std::int64_t r = 0; r < before.rows; ++r)
        for (std::int64_t c = 0; c < before.columns; ++c) {
          const double x = before.at(o, h, r, c), y = after.at(o, h, r, c);
          if (x != y) found.push_back({o, h, r, c, x, y});
        }
  return found;
}

TEST(OutputDamage, SingleElementsMoveByTheirUnits) {
  for (const auto& [id, units] : {std::pair("ulp1", 1), {"ulp2", 2}, {"ulp4", 4}, {"ulp8", 8}}) {
    bool up = false, down = false;
    for (std::uint64_t place = 0; place < 20; ++place) {
      const auto found = changes("o", damaged(id, place));
      ASSERT_EQ(found.size(), 1) << id;
      const bool larger = found[0].after > found[0].before;
      (larger ? up : down) = true;
      EXPECT_EQ(neighbour(Dtype::bf16, found[0].before, larger ? units : -units), found[0].after);
    }
    EXPECT_TRUE(up && down) << id;
  }
}

TEST(OutputDamage, PlacesAreDrawnAndDrawnAgainAlike) {
  EXPECT_TRUE(same_bits(damaged("ulp1", 3), damaged("ulp1", 3)));
  EXPECT_FALSE(same_bits(damaged("ulp1", 3), damaged("ulp1", 4)));
}

TEST(OutputDamage, TheLargestElementIsTheLargest) {
  const auto found = changes("o", damaged("ulp8_max"));
  ASSERT_EQ(found.size(), 1);
  const double largest = std::abs(found[0].before);
  for (const double x : strong_decay().outputs->tensors.at("o").values()) EXPECT_LE(std::abs(x), largest);
}

TEST(OutputDamage, TheLargestOfARowIsLargestInItsRow) {
  const auto found = changes("o", damaged("ulp2_big", 5));
  ASSERT_EQ(found.size(), 1);
  TensorEdit o(*strong_decay().outputs, "o");
  for (std::int64_t c = 0; c < o.columns; ++c) {
    EXPECT_LE(std::abs(o.at(0, found[0].head, found[0].row, c)), std::abs(found[0].before));
  }
}

TEST(OutputDamage, RowsAndColumnsOfOneHead) {
  const auto row = changes("o", damaged("zero_row", 1));
  EXPECT_GT(row.size(), 50);
  for (const Element& e : row) EXPECT_TRUE(e.row == row[0].row && e.head == row[0].head && e.after == 0);
  const auto column = changes("o", damaged("zero_col", 1));
  EXPECT_GT(column.size(), 100);
  for (const Element& e : column) {
    EXPECT_TRUE(e.column == column[0].column && e.head == column[0].head && e.after == 0);
  }
  EXPECT_EQ(changes("o", damaged("zero_el", 1)).size(), 1);
}

TEST(OutputDamage, SwapsExchangeNeighbours) {
  const auto rows = changes("o", damaged("swap_rows", 2));
  ASSERT_FALSE(rows.empty());
  TensorEdit o(*strong_decay().outputs, "o");
  const std::int64_t first = rows[0].row;
  for (const Element& e : rows) {
    const std::int64_t other = e.row == first ? first + 1 : first;
    EXPECT_EQ(e.after, o.at(0, e.head, other, e.column));
  }
  const auto columns = changes("o", damaged("swap_cols", 2));
  ASSERT_FALSE(columns.empty());
  for (const Element& e : columns) {
    const std::int64_t other = e.column == columns[0].column ? e.column + 1 : e.column - 1;
    EXPECT_EQ(e.after, o.at(0, e.head, e.row, other));
  }
}

TEST(OutputDamage, HeadsAreExchangedAndTokensLate) {
  TensorEdit o(*strong_decay().outputs, "o");
  for (const Element& e : changes("o", damaged("swap_heads"))) {
    EXPECT_EQ(e.after, o.at(0, 1 - e.head, e.row, e.column));
  }
  for (const Element& e : changes("o", damaged("shift_token"))) {
    ASSERT_GT(e.row, 0);
    EXPECT_EQ(e.after, o.at(0, e.head, e.row - 1, e.column));
  }
}

TEST(OutputDamage, OneChunkIsScaled) {
  const auto found = changes("o", damaged("chunk_x1.003"));
  ASSERT_FALSE(found.empty());
  for (const Element& e : found) EXPECT_TRUE(e.row >= 64 && e.row < 128) << e.row;
}

TEST(OutputDamage, StatesAreTransposedAllOrTheLast) {
  TensorEdit states(*strong_decay().outputs, "chunk_states");
  const auto all = changes("chunk_states", damaged("transposed_S"));
  for (const Element& e : all) EXPECT_EQ(e.after, states.at(e.outer, e.head, e.column, e.row));
  EXPECT_EQ(all.front().outer, 0);
  const auto last = changes("chunk_states", damaged("transposed_ST"));
  ASSERT_FALSE(last.empty());
  for (const Element& e : last) EXPECT_EQ(e.outer, 2);
  EXPECT_EQ(changes("final_state", damaged("transposed_ST")).size(), last.size());
}

TEST(OutputDamage, AnElementOfTheLastStateIsThatOfTheFinalState) {
  bool last = false, earlier = false;
  for (std::uint64_t place = 0; place < 12; ++place) {
    const Outputs outputs = damaged("S_el_1e-3", place);
    const auto states = changes("chunk_states", outputs), final = changes("final_state", outputs);
    ASSERT_EQ(states.size(), 1);
    EXPECT_EQ(final.size(), states[0].outer == 2 ? 1 : 0);
    (states[0].outer == 2 ? last : earlier) = true;
  }
  EXPECT_TRUE(last && earlier);
}

// The variance of a sum of n squares of unit normals is 2 n (less for the bounded ones drawn here); six of its
// standard deviations, and what rounding to bf16 adds: o 2^-8 / sqrt(12) at most, beside 5e-3.
TEST(OutputDamage, NoiseHasItsSize) {
  const auto before = strong_decay().outputs->tensors.at("o").values();
  const auto after = damaged("noise_5e-3").tensors.at("o").values();
  double error = 0, size = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    error += (after[i] - before[i]) * (after[i] - before[i]);
    size += before[i] * before[i];
  }
  const double relative = std::sqrt(error / size), spread = 6 / std::sqrt(2.0 * static_cast<double>(before.size()));
  EXPECT_GT(relative, 5e-3 * (1 - spread));
  EXPECT_LT(relative, std::hypot(5e-3, 0x1p-8 / std::sqrt(12.0)) * (1 + spread));
}

}  // namespace
}  // namespace deltaproof
