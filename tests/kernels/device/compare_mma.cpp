#include <bit>
#include <chrono>
#include <mutex>

#include "kernels/simt/mma_tile.hpp"
#include "tests/kernels/device/compare.hpp"
#include "tests/kernels/device/gpu_warp.hpp"
#include "tests/kernels/device/parallel.hpp"

namespace deltaproof {
namespace {

constexpr int tiles_a_regime = 16384;  // 2,097,152 outputs

struct KindInfo {
  simt_mma_kind kind;
  const char* name;
};
constexpr KindInfo kinds[] = {{simt_mma_m16n8k16_bf16, "mma m16n8k16 bf16"},
                              {simt_mma_m16n8k16_f16, "mma m16n8k16 f16"},
                              {simt_mma_m16n8k8_tf32, "mma m16n8k8 tf32"}};

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

std::string describe(TileRegime regime, std::uint64_t tile, int lane, int reg, float gpu, float host) {
  return "regime " + std::to_string(static_cast<int>(regime)) + ", tile " + std::to_string(tile) + ", lane " +
         std::to_string(lane) + ", d" + std::to_string(reg) + ": GPU " + hexadecimal(bits(gpu)) + ", host " +
         hexadecimal(bits(host));
}

void compare_regime(simt_mma_kind kind, const TensorCoreModel& model, TileRegime regime, Row& row) {
  TileSource source(1000 + static_cast<std::uint64_t>(regime));
  std::vector<MmaTile> tiles;
  for (int i = 0; i < tiles_a_regime; ++i) tiles.push_back(source.draw(kind, regime));
  const std::vector<TileResult> gpu = gpu_mma(kind, tiles);
  std::mutex mutex;
  in_parallel(tiles.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t t = begin; t < end; ++t) {
      float d[32][4];
      mma_tile(kind, model, tiles[t].a, tiles[t].b, tiles[t].c, d);
      for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < 4; ++i) {
          if (bits(d[lane][i]) == bits(gpu[t].d[lane][i])) continue;
          const std::lock_guard lock(mutex);
          if (row.differing++ == 0) row.first = describe(regime, t, lane, i, gpu[t].d[lane][i], d[lane][i]);
        }
      }
    }
  });
  row.compared += tiles.size() * 128;
}

}  // namespace

std::vector<Row> compare_mma(const std::string& model) {
  std::vector<Row> rows;
  for (const KindInfo& info : kinds) {
    const auto start = std::chrono::steady_clock::now();
    Row row{std::string(info.name) + " (" + model + ")", 0, 0, "", 0};
    for (const TileRegime regime : tile_regimes) compare_regime(info.kind, tensor_core(model), regime, row);
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rows.push_back(row);
  }
  return rows;
}

}  // namespace deltaproof
