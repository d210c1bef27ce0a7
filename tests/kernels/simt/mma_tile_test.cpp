// A warp's product against dot products of its rows and columns, which lie where the PTX tables say.
#include "kernels/simt/mma_tile.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "reference/problem/format.hpp"
#include "tests/kernels/simt/ptx_fragments.hpp"
#include "tests/kernels/simt/random_tiles.hpp"

namespace deltaproof {
namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

Operand operand_of(simt_mma_kind kind) {
  if (kind == simt_mma_m16n8k16_bf16) return Operand::bf16;
  return kind == simt_mma_m16n8k16_f16 ? Operand::f16 : Operand::tf32;
}

float value(simt_mma_kind kind, std::uint32_t word, int half) {
  const auto element = static_cast<std::uint16_t>(word >> (16 * half));
  if (kind == simt_mma_m16n8k16_bf16) return static_cast<float>(bf16_to_double(element));
  if (kind == simt_mma_m16n8k16_f16) return static_cast<float>(f16_to_double(element));
  return std::bit_cast<float>(word);
}

struct Matrices {
  float a[16][16], b[8][16];  // b by columns

  Matrices(simt_mma_kind kind, const MmaTile& tile) {
    for_each_a(kind, [&](int lane, int reg, int half, MatrixPlace at) {
      a[at.row][at.column] = value(kind, tile.a[lane][reg], half);
    });
    for_each_b(kind, [&](int lane, int reg, int half, MatrixPlace at) {
      b[at.column][at.row] = value(kind, tile.b[lane][reg], half);
    });
  }
};

struct Tally {
  std::int64_t compared = 0, unequal = 0;
};

/// `tile` by mma_tile under `model`, against dot products under `reference`.
void compare(simt_mma_kind kind, const MmaTile& tile, const TensorCoreModel& model, const TensorCoreModel& reference,
             Tally& tally) {
  float d[32][4];
  mma_tile(kind, model, tile.a, tile.b, tile.c, d);
  const Matrices matrices(kind, tile);
  const auto depth = static_cast<std::size_t>(mma_depth(kind));
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const MatrixPlace at = ptx_c(lane, i);
      const float expected = tensor_core_dot(reference, {matrices.a[at.row], depth}, {matrices.b[at.column], depth},
                                             tile.c[lane][i], operand_of(kind));
      ++tally.compared;
      tally.unequal += bits(d[lane][i]) != bits(expected);
    }
  }
}

class MmaTiles : public testing::TestWithParam<simt_mma_kind> {
 protected:
  Tally run(const char* model, const char* reference, TileRegime regime, int tiles) {
    TileSource source(17 + static_cast<std::uint64_t>(regime));
    Tally tally;
    for (int i = 0; i < tiles; ++i) {
      compare(GetParam(), source.draw(GetParam(), regime), tensor_core(model), tensor_core(reference), tally);
    }
    return tally;
  }
};

TEST_P(MmaTiles, HaveTheBitsOfDotProducts) {
  std::int64_t compared = 0;
  for (const char* model : {"hopper", "blackwell", "ampere", "ada", "fp32_rn"}) {
    for (const TileRegime regime : tile_regimes) {
      const Tally tally = run(model, model, regime, 700);
      EXPECT_EQ(tally.unequal, 0) << model << ", regime " << static_cast<int>(regime);
      compared += tally.compared;
    }
  }
  EXPECT_EQ(compared, 5 * std::ssize(tile_regimes) * 700 * 128);
}

// The control: another model is seen to differ where numbers are ordinary.
TEST_P(MmaTiles, DifferUnderAnotherModel) {
  for (const char* other : {"ampere", "fp32_rn"}) {
    const Tally tally = run("hopper", other, TileRegime::ordinary, 100);
    EXPECT_GT(tally.unequal, tally.compared / 20) << other;
  }
}

TEST_P(MmaTiles, MayBeAddedInPlace) {
  TileSource source(3);
  const MmaTile tile = source.draw(GetParam(), TileRegime::ordinary);
  float apart[32][4], in_place[32][4];
  std::memcpy(in_place, tile.c, sizeof in_place);
  for (const char* model : {"hopper", "fp32_rn"}) {
    std::memcpy(in_place, tile.c, sizeof in_place);
    mma_tile(GetParam(), tensor_core(model), tile.a, tile.b, tile.c, apart);
    mma_tile(GetParam(), tensor_core(model), tile.a, tile.b, in_place, in_place);
    EXPECT_EQ(std::memcmp(apart, in_place, sizeof apart), 0) << model;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, MmaTiles,
                         testing::Values(simt_mma_m16n8k16_bf16, simt_mma_m16n8k16_f16, simt_mma_m16n8k8_tf32),
                         [](const auto& test) { return std::string(operand_name(operand_of(test.param))); });

TEST(MmaTile, RefusesAModelWithoutArithmetic) {
  const MmaTile tile{};
  float d[32][4];
  EXPECT_THROW(mma_tile(simt_mma_m16n8k8_tf32, tensor_core("volta"), tile.a, tile.b, tile.c, d), std::logic_error);
  EXPECT_THROW(mma_tile(simt_mma_m16n8k16_bf16, tensor_core("any"), tile.a, tile.b, tile.c, d), std::logic_error);
}

// The one NaN, and signs of zero: not left to chance in the regimes above.
TEST(MmaTile, GivesTheNanOfTheHardware) {
  MmaTile tile{};
  tile.a[0][0] = 0x7f80;   // infinity in row 0, column 0
  tile.c[3][0] = -0.0f;
  float d[32][4];
  mma_tile(simt_mma_m16n8k16_bf16, tensor_core("hopper"), tile.a, tile.b, tile.c, d);
  EXPECT_EQ(bits(d[0][0]), 0x7fffffffu);  // infinity times zero
  EXPECT_EQ(bits(d[4][0]), 0u);           // row 1
  mma_tile(simt_mma_m16n8k16_bf16, tensor_core("hopper"), {}, tile.b, tile.c, d);
  EXPECT_EQ(bits(d[3][0]), 0u);  // a sum of zero is +0
}

}  // namespace
}  // namespace deltaproof
