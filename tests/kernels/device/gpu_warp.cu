#include "tests/kernels/device/gpu_warp.hpp"

#include <string>

#include "kernels/simt/simt.cuh"
#include "tests/kernels/device/gpu_memory.cuh"

namespace deltaproof {
namespace {

constexpr dim3 one_block(1), one_warp(32);

__global__ void run_mma(simt_mma_kind kind, const MmaTile* tiles, TileResult* results) {
  const MmaTile& tile = tiles[blockIdx.x];
  std::uint32_t a[4], b[2];
  float d[4];
  for (int i = 0; i < 4; ++i) a[i] = tile.a[threadIdx.x][i];
  for (int i = 0; i < 2; ++i) b[i] = tile.b[threadIdx.x][i];
  for (int i = 0; i < 4; ++i) d[i] = tile.c[threadIdx.x][i];
  if (kind == simt_mma_m16n8k16_bf16) simt::mma_m16n8k16_bf16(d, a, b);
  if (kind == simt_mma_m16n8k16_f16) simt::mma_m16n8k16_f16(d, a, b);
  if (kind == simt_mma_m16n8k8_tf32) simt::mma_m16n8k8_tf32(d, a, b);
  for (int i = 0; i < 4; ++i) results[blockIdx.x].d[threadIdx.x][i] = d[i];
}

__global__ void run_ldmatrix(int matrices, bool transposed, const std::uint16_t* rows, LdmatrixResult* result) {
  __shared__ __align__(16) std::uint16_t shared[32][8];
  for (int j = 0; j < 8; ++j) shared[threadIdx.x][j] = rows[8 * threadIdx.x + j];
  __syncwarp();
  std::uint32_t four[4] = {}, two[2] = {};
  const void* row = shared[threadIdx.x];
  if (matrices == 4) {
    if (transposed) simt::ldmatrix_x4_trans(four, row);
    if (!transposed) simt::ldmatrix_x4(four, row);
  } else {
    if (transposed) simt::ldmatrix_x2_trans(two, row);
    if (!transposed) simt::ldmatrix_x2(two, row);
    four[0] = two[0];
    four[1] = two[1];
  }
  for (int i = 0; i < 4; ++i) result->registers[threadIdx.x][i] = four[i];
}

__global__ void run_cp_async(const unsigned char* from, std::uint32_t bytes, unsigned char* result) {
  __shared__ __align__(16) unsigned char shared[16];
  for (int i = 0; i < 16; ++i) shared[i] = 0xee;
  simt::cp_async_16(shared, from, bytes);
  simt::cp_async_commit();
  simt::cp_async_wait<0>();
  for (int i = 0; i < 16; ++i) result[i] = shared[i];
}

__global__ void run_shuffle(simt_shuffle_kind kind, std::uint32_t mask, int operand, int width,
                            ShuffleResult* result) {
  const unsigned lane = threadIdx.x, value = 1000 + lane;
  result->lanes[lane] = 0;
  if ((mask >> lane & 1) == 0) return;
  unsigned got = 0;
  if (kind == simt_shuffle_index) got = __shfl_sync(mask, value, operand, width);
  if (kind == simt_shuffle_up) got = __shfl_up_sync(mask, value, static_cast<unsigned>(operand), width);
  if (kind == simt_shuffle_down) got = __shfl_down_sync(mask, value, static_cast<unsigned>(operand), width);
  if (kind == simt_shuffle_xor) got = __shfl_xor_sync(mask, value, operand, width);
  result->lanes[lane] = got;
}

__global__ void needs_shared_memory(int* result) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  *result = shared_bytes[0];
}

}  // namespace

std::vector<TileResult> gpu_mma(simt_mma_kind kind, std::span<const MmaTile> tiles) {
  const GpuArray<MmaTile> in(tiles.data(), tiles.size());
  const GpuArray<TileResult> out(tiles.size());
  simt::launch(dim3(static_cast<unsigned>(tiles.size())), one_warp, 0, run_mma, kind, in.data(), out.data());
  simt::synchronize();
  std::vector<TileResult> results(tiles.size());
  out.read(results.data());
  return results;
}

LdmatrixResult gpu_ldmatrix(int matrices, bool transposed, const std::uint16_t (&rows)[32][8]) {
  const GpuArray<std::uint16_t> in(rows[0], 256);
  const GpuArray<LdmatrixResult> out(1);
  simt::launch(one_block, one_warp, 0, run_ldmatrix, matrices, transposed, in.data(), out.data());
  simt::synchronize();
  LdmatrixResult result;
  out.read(&result);
  return result;
}

std::vector<unsigned char> gpu_cp_async(const unsigned char (&from)[16], std::uint32_t bytes) {
  const GpuArray<unsigned char> in(from, 16), out(16);
  simt::launch(one_block, dim3(1), 0, run_cp_async, in.data(), bytes, out.data());
  simt::synchronize();
  std::vector<unsigned char> result(16);
  out.read(result.data());
  return result;
}

ShuffleResult gpu_shuffle(simt_shuffle_kind kind, std::uint32_t mask, int operand, int width) {
  const GpuArray<ShuffleResult> out(1);
  simt::launch(one_block, one_warp, 0, run_shuffle, kind, mask, operand, width, out.data());
  simt::synchronize();
  ShuffleResult result;
  out.read(&result);
  return result;
}

std::string gpu_refused_launch() {
  const GpuArray<int> out(1);
  try {
    simt::launch(one_block, one_warp, std::size_t{1} << 20, needs_shared_memory, out.data());
    simt::synchronize();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

}  // namespace deltaproof
