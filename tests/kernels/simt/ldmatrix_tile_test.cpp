// ldmatrix against the figure in the PTX ISA: thread t of a warp gets row t / 4 of each matrix, elements
// 2 (t % 4) and 2 (t % 4) + 1; with .trans, of the transposed matrix.
#include "kernels/simt/ldmatrix_tile.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace deltaproof {
namespace {

/// Rows of a larger matrix, as kernels have them, apart from each other and in no order.
struct Rows {
  alignas(16) std::uint16_t storage[32][24];
  const void* pointers[32];

  Rows() {
    for (int r = 0; r < 32; ++r) {
      for (int j = 0; j < 24; ++j) storage[r][j] = static_cast<std::uint16_t>(0x8000 | (r << 8) | j);
      pointers[r] = &storage[r * 5 % 32][8];
    }
  }
  std::uint32_t element(int matrix, int row, int column) const {
    return static_cast<const std::uint16_t*>(pointers[8 * matrix + row])[column];
  }
};

constexpr std::uint32_t untouched = 0xdeadbeef;

class Ldmatrix : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(Ldmatrix, GivesEachLaneItsElements) {
  const auto [matrices, transposed] = GetParam();
  const Rows rows;
  std::uint32_t registers[32][4];
  for (auto& lane : registers) {
    for (auto& word : lane) word = untouched;
  }
  ldmatrix_tile(matrices, transposed, rows.pointers, registers);
  for (int t = 0; t < 32; ++t) {
    const int row = t / 4, column = t % 4 * 2;
    for (int m = 0; m < 4; ++m) {
      const std::uint32_t low = transposed ? rows.element(m, column, row) : rows.element(m, row, column);
      const std::uint32_t high = transposed ? rows.element(m, column + 1, row) : rows.element(m, row, column + 1);
      EXPECT_EQ(registers[t][m], m < matrices ? (high << 16 | low) : untouched) << "lane " << t << " matrix " << m;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, Ldmatrix, testing::Combine(testing::Values(1, 2, 4), testing::Bool()),
                         [](const auto& test) {
                           std::string name = std::get<1>(test.param) ? "trans_x" : "x";
                           return name += std::to_string(std::get<0>(test.param));
                         });

// Rows of matrices that are not loaded need not exist.
TEST(Ldmatrix, DoesNotReadOtherRows) {
  Rows rows;
  for (int r = 16; r < 32; ++r) rows.pointers[r] = nullptr;
  std::uint32_t registers[32][4];
  ldmatrix_tile(2, false, rows.pointers, registers);
  EXPECT_EQ(registers[31][1], rows.element(1, 7, 7) << 16 | rows.element(1, 7, 6));
}

}  // namespace
}  // namespace deltaproof
