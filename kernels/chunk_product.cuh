#pragma once

#include "kernels/common.cuh"

/// Products of tiles in shared memory by one warp: D += A B, D 16 x 8 N in the fragments of mma.m16n8: d[n][0] and
/// d[n][1] in row lane / 4, columns 8 n + 2 (lane % 4) + {0, 1}; d[n][2], d[n][3] eight rows below. 16-bit elements
/// go through ldmatrix and mma.m16n8k16, the inner dimension ascending in steps of 16; fp32 through chains of fma,
/// ascending.
namespace deltaproof {

__device__ inline int fragment_row() { return warp_lane() / 4; }
__device__ inline int fragment_column() { return warp_lane() % 4 * 2; }

/// How a factor lies in memory.
enum class Stored { as_it_is, transposed };

/// Distance, in elements, of rows of `Width` in shared memory: they start in different banks and at multiples of 16
/// bytes.
template <class E, int Width>
constexpr int padded = Width + 16 / static_cast<int>(sizeof(E));

template <class E>
struct TileProduct {
  __device__ static void multiply(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]);

  /// Rows [0, 16) of A, its columns from k. A is 16 x depth, or depth x 16 as stored.
  template <Stored A>
  __device__ static void load_a(std::uint32_t (&a)[4], const E* from, int stride, int k) {
    const int lane = warp_lane(), in_eight = lane % 8, second = lane / 8 % 2 * 8, upper = lane / 16 * 8;
    if (A == Stored::as_it_is) {
      simt::ldmatrix_x4(a, from + (in_eight + second) * stride + k + upper);
    } else {
      simt::ldmatrix_x4_trans(a, from + (k + in_eight + upper) * stride + second);
    }
  }
  /// Rows [k, k + 16) of B, columns of two tiles. B is depth x 8 N, or 8 N x depth as stored.
  template <Stored B>
  __device__ static void load_b(std::uint32_t (&b)[4], const E* from, int stride, int k) {
    const int lane = warp_lane(), in_eight = lane % 8, second = lane / 8 % 2 * 8, upper = lane / 16 * 8;
    if (B == Stored::as_it_is) {
      simt::ldmatrix_x4_trans(b, from + (k + in_eight + second) * stride + upper);
    } else {
      simt::ldmatrix_x4(b, from + (in_eight + upper) * stride + k + second);
    }
  }
  /// The same of one tile; only the addresses of lanes 0 to 15 count.
  template <Stored B>
  __device__ static void load_b(std::uint32_t (&b)[2], const E* from, int stride, int k) {
    const int lane = warp_lane(), in_eight = lane % 8, second = lane / 8 % 2 * 8;
    if (B == Stored::as_it_is) {
      simt::ldmatrix_x2_trans(b, from + (k + in_eight + second) * stride);
    } else {
      simt::ldmatrix_x2(b, from + in_eight * stride + k + second);
    }
  }

  /// `depth` is rounded up to 16: what lies there must be zero. Tiles [0, count) of N.
  template <Stored A, Stored B, int N>
  __device__ static void add(float (&d)[N][4], const E* a, int a_stride, const E* b, int b_stride, int depth,
                             int count = N) {
    for (int k = 0; k < depth; k += 16) {
      std::uint32_t a_fragment[4];
      load_a<A>(a_fragment, a, a_stride, k);
#pragma unroll
      for (int n = 0; n + 1 < N; n += 2) {
        if (n >= count) break;
        std::uint32_t pair[4];
        load_b<B>(pair, b + 8 * n * (B == Stored::as_it_is ? 1 : b_stride), b_stride, k);
        multiply(d[n], a_fragment, {pair[0], pair[1]});
        if (n + 1 < count) multiply(d[n + 1], a_fragment, {pair[2], pair[3]});
      }
      if (N % 2 == 1 && N <= count) {
        std::uint32_t single[2];
        load_b<B>(single, b + 8 * (N - 1) * (B == Stored::as_it_is ? 1 : b_stride), b_stride, k);
        multiply(d[N - 1], a_fragment, single);
      }
    }
  }
};

template <>
__device__ inline void TileProduct<simt::bf16>::multiply(float (&d)[4], const std::uint32_t (&a)[4],
                                                         const std::uint32_t (&b)[2]) {
  simt::mma_m16n8k16_bf16(d, a, b);
}
template <>
__device__ inline void TileProduct<simt::f16>::multiply(float (&d)[4], const std::uint32_t (&a)[4],
                                                        const std::uint32_t (&b)[2]) {
  simt::mma_m16n8k16_f16(d, a, b);
}

template <>
struct TileProduct<float> {
  /// Over exactly `depth` products.
  template <Stored A, Stored B, int N>
  __device__ static void add(float (&d)[N][4], const float* a, int a_stride, const float* b, int b_stride, int depth,
                             int count = N) {
    const int a_step = A == Stored::as_it_is ? 1 : a_stride, a_row = A == Stored::as_it_is ? a_stride : 1;
    const int b_step = B == Stored::as_it_is ? b_stride : 1, b_column = B == Stored::as_it_is ? 1 : b_stride;
    const float* upper = a + fragment_row() * a_row;
    const float* left = b + fragment_column() * b_column;
    for (int k = 0; k < depth; ++k) {
      const float a0 = upper[k * a_step], a1 = upper[k * a_step + 8 * a_row];
#pragma unroll
      for (int n = 0; n < N; ++n) {
        if (n >= count) break;
        const float b0 = left[k * b_step + 8 * n * b_column], b1 = left[k * b_step + (8 * n + 1) * b_column];
        d[n][0] = fmaf(a0, b0, d[n][0]);
        d[n][1] = fmaf(a0, b1, d[n][1]);
        d[n][2] = fmaf(a1, b0, d[n][2]);
        d[n][3] = fmaf(a1, b1, d[n][3]);
      }
    }
  }
};

/// Which tiles of a matrix of C rows and `Columns` columns a warp of four has: rows of one tile of 16, `n` tiles of 8
/// columns from `first`. With few tiles some warps have none.
template <int C, int Columns>
struct WarpTiles {
  static constexpr int row_tiles = C / 16, warps_a_row = 4 / row_tiles, all = Columns / 8;
  static constexpr int n = all >= warps_a_row ? all / warps_a_row : 1;
  static_assert(all < warps_a_row || all % warps_a_row == 0);

  __device__ static int row() { return warp_number() % row_tiles * 16; }
  __device__ static int first() { return warp_number() / row_tiles * n * 8; }
  __device__ static bool any() { return first() < Columns; }
};

}  // namespace deltaproof
