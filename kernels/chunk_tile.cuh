#pragma once

#include "kernels/chunk_product.cuh"

namespace deltaproof {

constexpr int chunk_threads = 128, chunk_warps = 4;
constexpr int slab = 64;  ///< columns of a wide matrix that are in shared memory at a time

/// Rows of a matrix in global memory; a tile's rows beyond `rows` are zero.
template <class E>
struct TileSource {
  const E* data;
  std::int64_t stride;
  int rows;
};

/// Columns [column, column + Width) of Rows rows into shared memory, rows padded<E, Width> apart, by cp.async.
/// `columns`: those of the matrix, a multiple of 8; beyond them there are zeros.
template <class E, int Rows, int Width>
__device__ void load_tile(E* to, const TileSource<E>& from, int column, int columns) {
  constexpr int unit = 16 / static_cast<int>(sizeof(E)), units = Width / unit;
  for (int e = static_cast<int>(threadIdx.x); e < Rows * units; e += chunk_threads) {
    const int row = e / units, at = e % units * unit;
    const bool exists = row < from.rows && column + at < columns;
    const E* source = exists ? from.data + row * from.stride + column + at : from.data;
    simt::cp_async_16(to + row * padded<E, Width> + at, source, exists ? 16u : 0u);
  }
}

/// Two neighbours in one store.
template <class E>
struct alignas(2 * sizeof(E)) Pair {
  E x, y;
};

template <class E>
__device__ void store_pair(E* to, float x, float y) {
  *reinterpret_cast<Pair<E>*>(to) = {simt::from_float<E>(x), simt::from_float<E>(y)};
}

/// Calls f(row, column, x, y) for the pairs of a warp's fragments, rows and columns of the whole matrix.
template <class Tiles, class F>
__device__ void for_pairs(const float (&d)[Tiles::n][4], const F& f) {
#pragma unroll
  for (int n = 0; n < Tiles::n; ++n) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      f(Tiles::row() + fragment_row() + 8 * half, Tiles::first() + 8 * n + fragment_column(), d[n][2 * half],
        d[n][2 * half + 1]);
    }
  }
}

}  // namespace deltaproof
