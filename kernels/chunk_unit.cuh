#pragma once

#include "kernels/chunk_tile.cuh"
#include "kernels/chunk_workspace.cuh"
#include "kernels/triangular_solve_inverse.cuh"

namespace deltaproof {

/// The chunk and value head that a block prepares: their tensors.
template <class E, int C>
struct ChunkUnit {
  const KernelCall& call;
  ChunkWorkspace<E> workspace;
  ChunkPlace chunk;
  std::int64_t head, place;  ///< `place`: of the chunk and head in the workspace

  __device__ explicit ChunkUnit(const KernelCall& of) : call(of) { workspace.divide(call); }

  /// Item: slot and value head. False if there is no token.
  __device__ bool select(std::int64_t item) {
    place = item;
    head = item % call.HV;
    chunk = chunk_in_slot(call, item / call.HV);
    return chunk.count > 0;
  }
  __device__ TileSource<E> of_key_head(const E* rows) const {
    const std::int64_t stride = call.H * call.K;
    return {rows + chunk.first * stride + key_head(call, head) * call.K, stride, chunk.count};
  }
  __device__ TileSource<E> keys() const { return of_key_head(workspace.keys(call)); }
  __device__ TileSource<E> queries() const { return of_key_head(workspace.queries(call)); }
  __device__ TileSource<E> values() const {
    const std::int64_t stride = call.HV * call.V;
    return {static_cast<const E*>(call.v) + chunk.first * stride + head * call.V, stride, chunk.count};
  }
  /// Index of token t in [B, T, HV].
  __device__ std::int64_t token(int t) const { return (chunk.first + t) * call.HV + head; }

  /// Write coefficients of the C tokens, 0 behind the last, by a warp a token.
  __device__ void coefficients(float* b) const {
    const TileSource<E> rows = keys();
    const int K = static_cast<int>(call.K);
    for (int t = warp_number(); t < C; t += chunk_warps) {
      float coefficient = 0;
      if (t < chunk.count) {
        const float n = needs_key_norm(call.coefficient) ? square_sum(rows.data + t * rows.stride, K) : 0.0f;
        const float w = call.write == nullptr ? 1.0f : number_at(call.write, call.write_type, token(t));
        coefficient = write_coefficient(call, w, n);
      }
      if (warp_lane() == 0) b[t] = coefficient;
    }
  }
};

/// u = T (b v) and w = T (b k decayed), T = (I + L)^{-1} rounded.
template <class E, int C>
struct InverseProducts {
  using Inverse = UnitLowerInverse<C>;
  using Tiles = WarpTiles<C, slab>;
  static constexpr int T_stride = padded<E, C>, factor_stride = padded<E, slab>;
  static constexpr std::size_t T_bytes = sizeof(E) * C * T_stride, factor_bytes = sizeof(E) * C * factor_stride;

  E* T;
  E* factor;  ///< one slab

  /// T from X in shared memory; a barrier must follow.
  __device__ void round(const float* X) const {
    for (int e = static_cast<int>(threadIdx.x); e < C * C; e += chunk_threads) {
      T[e / C * T_stride + e % C] = simt::from_float<E>(X[e / C * Inverse::stride + e % C]);
    }
  }

  /// T round(rows b decay) into `to` (C x columns), slab by slab; b and decay, one a token, may be null. `to` may be
  /// where the rows lie.
  __device__ void multiply(const TileSource<E>& rows, int columns, const float* b, const float* decay, E* to) const {
    for (int begin = 0; begin < columns; begin += slab) {
      load_factor(rows, begin, columns, b, decay);
      __syncthreads();
      float d[Tiles::n][4] = {};
      TileProduct<E>::template add<Stored::as_it_is, Stored::as_it_is>(d, T + Tiles::row() * T_stride, T_stride,
                                                                       factor + Tiles::first(), factor_stride,
                                                                       rows.rows);
      for_pairs<Tiles>(d, [&](int i, int j, float x, float y) {
        if (begin + j < columns) store_pair(to + static_cast<std::int64_t>(i) * columns + begin + j, x, y);
      });
      __syncthreads();
    }
  }

 private:
  __device__ void load_factor(const TileSource<E>& rows, int begin, int columns, const float* b,
                              const float* decay) const {
    for (int e = static_cast<int>(threadIdx.x); e < C * slab; e += chunk_threads) {
      const int t = e / slab, c = begin + e % slab;
      float x = 0;
      if (t < rows.rows && c < columns) {
        x = simt::to_float(rows.data[t * rows.stride + c]);
        if (b != nullptr) x = x * b[t];
        if (decay != nullptr) x = x * decay[t];
      }
      factor[t * factor_stride + e % slab] = simt::from_float<E>(x);
    }
  }
};

}  // namespace deltaproof
