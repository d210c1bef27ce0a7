#pragma once

#include "kernels/simt/simt.cuh"

namespace deltaproof {

/// (I + L)^{-1} of a strictly lower C x C matrix in fp32, by one block of 128 threads (docs/arithmetic.md, 'The
/// inverse'): diagonal blocks of 16 by substitution, the others by products, one distance from the diagonal after
/// the other.
template <int C>
struct UnitLowerInverse {
  static_assert(C == 16 || C == 32 || C == 64);
  static constexpr int tile = 16, tiles = C / tile, threads = 128;
  static constexpr int stride = C + 1;  ///< of a row of L and of X, for threads that go down a column
  static constexpr int scratch = tiles > 1 ? (tiles - 1) * tile * tile : 1;  ///< floats

  float* X;        ///< C rows of `stride`
  const float* L;  ///< the same; only what is below the diagonal is read
  float* products; ///< `scratch` floats

  /// All in shared memory. L must be visible to all threads; X is when this returns.
  __device__ void form() const {
    clear_above();
    invert_diagonal();
    __syncthreads();
    for (int distance = 1; distance < tiles; ++distance) {
      multiply_left(distance);
      __syncthreads();
      multiply_right(distance);
      __syncthreads();
    }
  }

 private:
  __device__ void clear_above() const {
    for (int e = static_cast<int>(threadIdx.x); e < C * C; e += threads) {
      const int i = e / C, j = e % C;
      if (i / tile < j / tile) X[i * stride + j] = 0.0f;
    }
  }

  // A thread owns a column of a diagonal block: it reads rows of -L and its own column only. All sixteen products
  // enter each sum, of zeros too, as the declared order has it.
  __device__ void invert_diagonal() const {
    const int column = static_cast<int>(threadIdx.x), j = column % tile, begin = column - j;
    if (column >= C) return;
    const float* block = L + begin * stride + begin;
    float x[tile];
#pragma unroll
    for (int i = 0; i < tile; ++i) x[i] = i > j ? -block[i * stride + j] : -0.0f;
#pragma unroll
    for (int i = 2; i < tile; ++i) {
      float sum = 0;
#pragma unroll
      for (int r = 0; r < tile; ++r) sum = fmaf(r < i ? -block[i * stride + r] : -0.0f, x[r], sum);
      if (j < i) x[i] = x[i] + sum;
    }
#pragma unroll
    for (int i = 0; i < tile; ++i) X[(begin + i) * stride + column] = i == j ? 1.0f : x[i];
  }

  // sum_r a_r b_r onto `sum`, rows of b one below the other.
  __device__ static float chain(float sum, const float* a, const float* b, int b_stride, int count) {
    for (int r = 0; r < count; ++r) sum = fmaf(a[r], b[r * b_stride], sum);
    return sum;
  }

  // Next to the diagonal X_ii L_ij; further away Y = sum_k L_ik X_kj over the blocks between.
  __device__ void multiply_left(int distance) const {
    for (int e = static_cast<int>(threadIdx.x); e < (tiles - distance) * tile * tile; e += threads) {
      const int first = e / (tile * tile) * tile;  // column of block j
      const int row = e / tile % tile + first + distance * tile, column = e % tile + first, i = row / tile * tile;
      products[e] = distance == 1 ? chain(0.0f, X + row * stride + i, L + i * stride + column, stride, tile)
                                  : chain(0.0f, L + row * stride + first, X + first * stride + column, stride,
                                          distance * tile);
    }
  }

  __device__ void multiply_right(int distance) const {
    for (int e = static_cast<int>(threadIdx.x); e < (tiles - distance) * tile * tile; e += threads) {
      const int first = e / (tile * tile) * tile;
      const int in_tile = e / tile % tile, row = in_tile + first + distance * tile, column = e % tile + first;
      const float* block = products + e / (tile * tile) * tile * tile;
      const float sum = distance == 1
                            ? chain(0.0f, block + in_tile * tile, X + first * stride + column, stride, tile)
                            : chain(0.0f, X + row * stride + row / tile * tile, block + e % tile, tile, tile);
      X[row * stride + column] = -sum;
    }
  }
};

}  // namespace deltaproof
