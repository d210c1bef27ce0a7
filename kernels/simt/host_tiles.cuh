#pragma once

#include <cstdint>

#include "kernels/simt/abi.hpp"
#include "kernels/simt/host_collectives.cuh"

namespace simt {

// d += a b for a warp. Fragments: kernels/simt/fragments.hpp.
inline void mma_m16n8k16_bf16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], SIMT_PLACE) {
  simt_mma(simt_mma_m16n8k16_bf16, d, a, b, d, file, line);
}
inline void mma_m16n8k16_f16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], SIMT_PLACE) {
  simt_mma(simt_mma_m16n8k16_f16, d, a, b, d, file, line);
}
inline void mma_m16n8k8_tf32(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], SIMT_PLACE) {
  simt_mma(simt_mma_m16n8k8_tf32, d, a, b, d, file, line);
}

// 8 x 8 matrices of 16-bit elements; `row` of lanes 8 i to 8 i + 7: the rows of matrix i, aligned to 16 bytes.
inline void ldmatrix_x2(std::uint32_t (&r)[2], const void* row, SIMT_PLACE) {
  simt_ldmatrix(2, false, r, row, file, line);
}
inline void ldmatrix_x2_trans(std::uint32_t (&r)[2], const void* row, SIMT_PLACE) {
  simt_ldmatrix(2, true, r, row, file, line);
}
inline void ldmatrix_x4(std::uint32_t (&r)[4], const void* row, SIMT_PLACE) {
  simt_ldmatrix(4, false, r, row, file, line);
}
inline void ldmatrix_x4_trans(std::uint32_t (&r)[4], const void* row, SIMT_PLACE) {
  simt_ldmatrix(4, true, r, row, file, line);
}

/// 16 bytes to shared memory, `bytes` of them from `global`, the rest zero; there after `cp_async_wait`.
inline void cp_async_16(void* shared, const void* global, std::uint32_t bytes = 16, SIMT_PLACE) {
  simt_cp_async(shared, global, bytes, file, line);
}
inline void cp_async_commit(SIMT_PLACE) { simt_cp_async_commit(file, line); }
/// Until at most `Groups` of the thread's committed groups are in flight.
template <int Groups>
void cp_async_wait(SIMT_PLACE) {
  simt_cp_async_wait(Groups, file, line);
}

}  // namespace simt
