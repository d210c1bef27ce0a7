#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tests/kernels/simt/random_tiles.hpp"

/// Instructions of a warp, run on the GPU. All throw std::runtime_error.
namespace deltaproof {

struct TileResult {
  float d[32][4];
};
/// mma.sync of each tile.
std::vector<TileResult> gpu_mma(simt_mma_kind kind, std::span<const MmaTile> tiles);

/// ldmatrix of `matrices` (2 or 4) from 32 rows of 8 elements: [lane][register].
struct LdmatrixResult {
  std::uint32_t registers[32][4];
};
LdmatrixResult gpu_ldmatrix(int matrices, bool transposed, const std::uint16_t (&rows)[32][8]);

/// What 16 bytes of shared memory that held 0xee are after cp_async_16 of `bytes` of `from`.
std::vector<unsigned char> gpu_cp_async(const unsigned char (&from)[16], std::uint32_t bytes);

/// Shuffles of the lanes in `mask`, lane l handing in 1000 + l; result of the others: 0.
struct ShuffleResult {
  std::uint32_t lanes[32];
};
ShuffleResult gpu_shuffle(simt_shuffle_kind kind, std::uint32_t mask, int operand, int width);

/// Message of a launch that asks for more shared memory than there is; empty if it was not refused.
std::string gpu_refused_launch();

}  // namespace deltaproof
