// Tiles of mma.sync recorded on an H200 (golden/README.md), through the fragments of a warp.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>

#include "kernels/simt/mma_tile.hpp"
#include "reference/problem/format.hpp"
#include "reference/problem/safetensors.hpp"
#include "tests/kernels/simt/ptx_fragments.hpp"

namespace deltaproof {
namespace {

constexpr std::int64_t rows = 16, columns = 8, stored_depth = 16;

struct Recording {
  Safetensors file;
  simt_mma_kind kind;
  std::string prefix;
  std::int64_t tiles;

  Recording(const std::string& name, simt_mma_kind of, const std::string& type)
      : file(read_safetensors(std::filesystem::path(DELTAPROOF_SOURCE_DIR) / "golden/vectors" / name)),
        kind(of),
        prefix(type + "_"),
        tiles(file.tensors.at(prefix + "a").shape.at(0)) {}

  double at(const char* tensor, std::int64_t flat) const { return file.tensors.at(prefix + tensor).value(flat); }

  std::uint32_t word(double x, int half) const {
    if (kind == simt_mma_m16n8k16_bf16) return std::uint32_t{double_to_bf16(x)} << (16 * half);
    if (kind == simt_mma_m16n8k16_f16) return std::uint32_t{double_to_f16(x)} << (16 * half);
    return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  }
};

bool same_bits(float x, float y) {
  if (std::isnan(x) && std::isnan(y)) return true;  // the NaN itself: MmaTile.GivesTheNanOfTheHardware
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
}

/// Outputs of one tile that differ from the recorded ones.
int differing(const Recording& in, std::int64_t tile, const TensorCoreModel& model) {
  std::uint32_t a[32][4]{}, b[32][2]{};
  float c[32][4], d[32][4];
  for_each_a(in.kind, [&](int lane, int reg, int half, MatrixPlace at) {
    a[lane][reg] |= in.word(in.at("a", (tile * rows + at.row) * stored_depth + at.column), half);
  });
  for_each_b(in.kind, [&](int lane, int reg, int half, MatrixPlace at) {
    b[lane][reg] |= in.word(in.at("b", (tile * stored_depth + at.row) * columns + at.column), half);
  });
  const auto flat = [&](int lane, int i) {
    const MatrixPlace at = ptx_c(lane, i);
    return (tile * rows + at.row) * columns + at.column;
  };
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) c[lane][i] = static_cast<float>(in.at("c", flat(lane, i)));
  }
  mma_tile(in.kind, model, a, b, c, d);
  int result = 0;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) result += !same_bits(d[lane][i], static_cast<float>(in.at("d", flat(lane, i))));
  }
  return result;
}

using Case = std::tuple<const char*, simt_mma_kind, const char*>;
class RecordedTiles : public testing::TestWithParam<Case> {};

TEST_P(RecordedTiles, HaveTheBitsOfAnH200) {
  const auto& [file, kind, type] = GetParam();
  const Recording recording(file, kind, type);
  ASSERT_GT(recording.tiles, 0);
  int by_hopper = 0, by_ampere = 0;
  for (std::int64_t tile = 0; tile < recording.tiles; ++tile) {
    by_hopper += differing(recording, tile, tensor_core("hopper"));
    by_ampere += differing(recording, tile, tensor_core("ampere"));
  }
  EXPECT_EQ(by_hopper, 0) << "of " << recording.tiles * rows * columns;
  EXPECT_GT(by_ampere, 0);  // the control
}

INSTANTIATE_TEST_SUITE_P(
    Files, RecordedTiles,
    testing::Values(Case{"mma_h200.safetensors", simt_mma_m16n8k16_bf16, "bf16"},
                    Case{"mma_h200.safetensors", simt_mma_m16n8k8_tf32, "tf32"},
                    Case{"mma_edges_h200.safetensors", simt_mma_m16n8k16_bf16, "bf16"},
                    Case{"mma_edges_h200.safetensors", simt_mma_m16n8k16_f16, "f16"},
                    Case{"mma_edges_h200.safetensors", simt_mma_m16n8k8_tf32, "tf32"}),
    [](const auto& test) {
      const std::string file = std::get<0>(test.param);
      return file.substr(0, file.find("_h200")) + "_" + std::get<2>(test.param);
    });

}  // namespace
}  // namespace deltaproof
