// Fragment layouts against the PTX tables, and that each is a bijection.
#include "kernels/simt/fragments.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "tests/kernels/simt/ptx_fragments.hpp"

namespace deltaproof {
namespace {

constexpr simt_mma_kind kinds[] = {simt_mma_m16n8k16_bf16, simt_mma_m16n8k8_tf32};

bool same(simt::Place x, simt::Place y) { return x.lane == y.lane && x.reg == y.reg && x.half == y.half; }

TEST(Fragments, OfALieWhereTheTablesSay) {
  for (const simt_mma_kind kind : kinds) {
    std::set<std::pair<int, int>> seen;
    for_each_a(kind, [&](int lane, int reg, int half, MatrixPlace at) {
      const bool tf32 = kind == simt_mma_m16n8k8_tf32;
      const simt::Place place{lane, reg, half};
      EXPECT_TRUE(same(tf32 ? simt::place_a_tf32(at.row, at.column) : simt::place_a_16(at.row, at.column), place));
      const simt::Element element = tf32 ? simt::element_a_tf32(place) : simt::element_a_16(place);
      EXPECT_EQ(element.row, at.row);
      EXPECT_EQ(element.column, at.column);
      seen.insert({at.row, at.column});
    });
    EXPECT_EQ(seen.size(), 16u * mma_depth(kind));
  }
}

TEST(Fragments, OfBLieWhereTheTablesSay) {
  for (const simt_mma_kind kind : kinds) {
    std::set<std::pair<int, int>> seen;
    for_each_b(kind, [&](int lane, int reg, int half, MatrixPlace at) {
      const bool tf32 = kind == simt_mma_m16n8k8_tf32;
      const simt::Place place{lane, reg, half};
      EXPECT_TRUE(same(tf32 ? simt::place_b_tf32(at.row, at.column) : simt::place_b_16(at.row, at.column), place));
      const simt::Element element = tf32 ? simt::element_b_tf32(place) : simt::element_b_16(place);
      EXPECT_EQ(element.row, at.row);
      EXPECT_EQ(element.column, at.column);
      seen.insert({at.row, at.column});
    });
    EXPECT_EQ(seen.size(), 8u * mma_depth(kind));
  }
}

TEST(Fragments, OfCLieWhereTheTableSays) {
  std::set<std::pair<int, int>> seen;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const MatrixPlace at = ptx_c(lane, i);
      EXPECT_TRUE(same(simt::place_c(at.row, at.column), {lane, i, 0}));
      const simt::Element element = simt::element_c({lane, i, 0});
      EXPECT_EQ(element.row, at.row);
      EXPECT_EQ(element.column, at.column);
      seen.insert({at.row, at.column});
    }
  }
  EXPECT_EQ(seen.size(), 128u);
}

// What kernels use them for: indices at compile time.
static_assert(simt::place_a_16(9, 3).lane == 5);
static_assert(simt::place_a_16(9, 3).reg == 1 && simt::place_a_16(9, 3).half == 1);
static_assert(simt::element_c(simt::place_c(13, 6)).row == 13);

}  // namespace
}  // namespace deltaproof
