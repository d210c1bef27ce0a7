#pragma once

#ifdef __CUDACC__
#define SIMT_BOTH __host__ __device__
#else
#define SIMT_BOTH
#endif

/// Where the elements of mma.sync's matrices lie among a warp's registers (PTX ISA, "Matrix Fragments for
/// mma.m16n8k16 with floating point type", "... for mma.m16n8k8"). A is 16 x k, B k x 8, C and D 16 x 8;
/// k is 16 for 16-bit types and 8 for tf32. Usable on both twins.
namespace simt {

/// Lane, register, and for 16-bit elements the half: 0 is the low one.
struct Place {
  int lane, reg, half;
};
struct Element {
  int row, column;
};

SIMT_BOTH constexpr Place place_a_16(int i, int k) { return {i % 8 * 4 + k % 8 / 2, i / 8 + k / 8 * 2, k % 2}; }
SIMT_BOTH constexpr Place place_b_16(int k, int j) { return {j * 4 + k % 8 / 2, k / 8, k % 2}; }
SIMT_BOTH constexpr Place place_a_tf32(int i, int k) { return {i % 8 * 4 + k % 4, i / 8 + k / 4 * 2, 0}; }
SIMT_BOTH constexpr Place place_b_tf32(int k, int j) { return {j * 4 + k % 4, k / 4, 0}; }
SIMT_BOTH constexpr Place place_c(int i, int j) { return {i % 8 * 4 + j / 2, i / 8 * 2 + j % 2, 0}; }

SIMT_BOTH constexpr Element element_a_16(Place p) {
  return {p.lane / 4 + p.reg % 2 * 8, p.lane % 4 * 2 + p.half + p.reg / 2 * 8};
}
SIMT_BOTH constexpr Element element_b_16(Place p) { return {p.lane % 4 * 2 + p.half + p.reg * 8, p.lane / 4}; }
SIMT_BOTH constexpr Element element_a_tf32(Place p) {
  return {p.lane / 4 + p.reg % 2 * 8, p.lane % 4 + p.reg / 2 * 4};
}
SIMT_BOTH constexpr Element element_b_tf32(Place p) { return {p.lane % 4 + p.reg * 4, p.lane / 4}; }
SIMT_BOTH constexpr Element element_c(Place p) {
  return {p.lane / 4 + p.reg / 2 * 8, p.lane % 4 * 2 + p.reg % 2};
}

/// ldmatrix: register i of a lane holds these elements, half 0 and 1, of matrix i.
SIMT_BOTH constexpr Element element_ldmatrix(int lane, int half, bool transposed) {
  return transposed ? Element{lane % 4 * 2 + half, lane / 4} : Element{lane / 4, lane % 4 * 2 + half};
}

}  // namespace simt
