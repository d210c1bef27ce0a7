// Kernels that show what shared memory holds, for the tests of poison, canary and asynchronous copies.
#include "kernels/simt/simt.cuh"

// What both twins of the header offer, it alone included.
static_assert(simt::element_c(simt::place_c(13, 6)).row == 13 && sizeof(simt::bf16) == 2);

namespace {

// Not shared memory, and nothing that kernels may use: the library's own, like that of a C++ runtime linked into it.
thread_local volatile unsigned own_set = 41, own_zero;

/// What a block finds in static shared memory (eight words that it then overwrites, one that nobody writes) and in
/// dynamic shared memory. A compiler could tell what the former hold, but for the executor.
__global__ void find(unsigned words, unsigned* found_static, unsigned* found_dynamic) {
  __shared__ unsigned fixed[8];
  __shared__ unsigned unwritten;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  auto* const dynamic = reinterpret_cast<unsigned*>(shared_bytes);
  for (unsigned i = 0; i < 8; ++i) {
    found_static[9 * blockIdx.x + i] = fixed[i];
    fixed[i] = i;
  }
  found_static[9 * blockIdx.x + 8] = unwritten;
  for (unsigned i = 0; i < words; ++i) {
    found_dynamic[words * blockIdx.x + i] = dynamic[i];
    dynamic[i] = i;
  }
}

/// Writes one byte of dynamic shared memory and tells what was there before.
__global__ void poke(std::size_t at, unsigned char value, unsigned char* before) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  *before = shared_bytes[at];
  shared_bytes[at] = value;
}

/// Words of the destination right after issue, after one group, and after both.
__global__ void copies(const unsigned* in, unsigned* seen) {
  __shared__ __align__(16) unsigned tile[12];
  for (unsigned i = 0; i < 12; ++i) tile[i] = 1;
  simt::cp_async_16(tile, in);
  simt::cp_async_commit();
  simt::cp_async_16(tile + 4, in + 4, 8);
  simt::cp_async_16(tile + 8, in, 0);
  simt::cp_async_commit();
  for (unsigned i = 0; i < 12; ++i) seen[i] = tile[i];
  simt::cp_async_wait<1>();
  for (unsigned i = 0; i < 12; ++i) seen[12 + i] = tile[i];
  simt::cp_async_wait<0>();
  for (unsigned i = 0; i < 12; ++i) seen[24 + i] = tile[i];
}

/// A warp's tiles through shared memory: d = a b, all of ones and lane numbers.
__global__ void tiles(const simt::bf16* a, const simt::bf16* b, float* out, std::uint32_t* registers) {
  __shared__ __align__(16) simt::bf16 rows[32 * 8];
  const unsigned lane = threadIdx.x;
  for (unsigned i = 0; i < 8; ++i) rows[8 * lane + i] = a[8 * lane + i];
  __syncwarp();
  std::uint32_t ra[4], rb[2];
  simt::ldmatrix_x4(ra, &rows[8 * lane]);
  __syncwarp();
  if (lane < 16) {
    for (unsigned i = 0; i < 8; ++i) rows[8 * lane + i] = b[8 * lane + i];
  }
  __syncwarp();
  simt::ldmatrix_x2_trans(rb, &rows[8 * (lane % 16)]);
  float d[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  simt::mma_m16n8k16_bf16(d, ra, rb);
  for (unsigned i = 0; i < 4; ++i) {
    out[4 * lane + i] = d[i];
    registers[4 * lane + i] = ra[i];
  }
}

}  // namespace

extern "C" {

void launch_find(unsigned blocks, unsigned words, unsigned* found_static, unsigned* found_dynamic) {
  simt::launch(blocks, 1, 4 * words, find, words, found_static, found_dynamic);
}
/// Adds 1 to both and returns the sum.
unsigned count_own() {
  own_set = own_set + 1;
  own_zero = own_zero + 1;
  return own_set + own_zero;
}
void launch_poke(unsigned blocks, std::size_t size, std::size_t at, unsigned char value, unsigned char* before) {
  simt::launch(blocks, 1, size, poke, at, value, before);
}
void launch_copies(const unsigned* in, unsigned* seen) { simt::launch(1, 1, 0, copies, in, seen); }
void launch_tiles(const simt::bf16* a, const simt::bf16* b, float* out, std::uint32_t* registers) {
  simt::launch(1, 32, 0, tiles, a, b, out, registers);
}

}  // extern "C"
