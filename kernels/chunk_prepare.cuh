#pragma once

#include "kernels/chunk_unit.cuh"

namespace deltaproof {

/// A row divided by its length, in the type of the inputs: one warp a row.
template <class E>
__global__ void __launch_bounds__(chunk_threads)
    chunk_normalise(const E* from, E* to, std::int64_t rows, int K, float l2norm_eps) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * chunk_warps + warp_number();
  if (row >= rows) return;
  const float factor = norm_factor(square_sum(from + row * K, K), l2norm_eps);
  for (int i = warp_lane(); i < K; i += warp_size) {
    to[row * K + i] = simt::from_float<E>(simt::to_float(from[row * K + i]) * factor);
  }
}

/// What of one chunk and head does not depend on the state: P = round(q k^T decayed), and with residual
/// T = (I + L)^{-1}, u = T (b v), w = T (b k 2^G). Scalar decay or none.
template <class E, int C>
struct ChunkPrepare : ChunkUnit<E, C> {
  using Unit = ChunkUnit<E, C>;
  using Unit::call, Unit::workspace, Unit::chunk, Unit::place;
  using Inverse = UnitLowerInverse<C>;
  using Products = InverseProducts<E, C>;
  using Tiles = WarpTiles<C, C>;
  static constexpr int slab_stride = Products::factor_stride;
  static constexpr std::size_t slab_bytes = Products::factor_bytes;
  static constexpr std::size_t square_bytes = sizeof(float) * C * Inverse::stride;
  static constexpr std::size_t bytes = 2 * slab_bytes + Products::T_bytes + 2 * square_bytes + 3 * C * sizeof(float);
  static_assert(Inverse::scratch * sizeof(float) <= slab_bytes);

  E *k, *q;  ///< slabs
  E* T;
  float *L, *X, *G, *from_start, *b;

  __device__ ChunkPrepare(const KernelCall& of, unsigned char* shared) : Unit(of) {
    k = reinterpret_cast<E*>(shared);
    q = reinterpret_cast<E*>(shared + slab_bytes);
    T = reinterpret_cast<E*>(shared + 2 * slab_bytes);
    L = reinterpret_cast<float*>(shared + 2 * slab_bytes + Products::T_bytes);
    X = L + C * Inverse::stride;
    G = X + C * Inverse::stride;
    from_start = G + C;
    b = from_start + C;
  }

  __device__ void run(std::int64_t item) {
    if (!Unit::select(item)) return;
    scan();
    if (call.residual) Unit::coefficients(b);
    __syncthreads();
    keep_decays();
    products();
    if (!call.residual) return;
    __syncthreads();
    solve();
  }

  /// G by the first warp: Kogge-Stone in each 32 tokens, then the second 32 add the first's last sum.
  __device__ void scan() {
    if (warp_number() > 0) return;
    float before = 0;
    for (int begin = 0; begin < C; begin += warp_size) {
      const int t = begin + warp_lane();
      const bool given = call.g != nullptr && t < chunk.count;
      float sum = given ? number_at(call.g, call.g_type, Unit::token(t)) : 0.0f;
      for (int distance = 1; distance < warp_size; distance *= 2) {
        const float other = __shfl_up_sync(all_lanes, sum, static_cast<unsigned>(distance));
        if (warp_lane() >= distance) sum = sum + other;
      }
      if (begin > 0) sum = sum + before;
      before = __shfl_sync(all_lanes, sum, warp_size - 1);
      if (t < C) G[t] = sum * log2e;
    }
  }

  /// Behind the last token G is that of the last: sums that go on over zeros would be rounded otherwise.
  __device__ void keep_decays() {
    const int t = static_cast<int>(threadIdx.x);
    if (t >= C) return;
    const float kept = G[t < chunk.count ? t : chunk.count - 1];
    from_start[t] = simt::exp2_approx(kept);
    workspace.G[place * C + t] = kept;
  }

  /// P into the workspace, L into shared memory.
  __device__ void products() {
    const int K = static_cast<int>(call.K);
    const TileSource<E> key_rows = Unit::keys(), query_rows = Unit::queries();
    float gram[Tiles::n][4] = {}, scores[Tiles::n][4] = {};
    for (int begin = 0; begin < K; begin += slab) {
      load_tile<E, C, slab>(k, key_rows, begin, K);
      load_tile<E, C, slab>(q, query_rows, begin, K);
      simt::cp_async_commit();
      simt::cp_async_wait<0>();
      __syncthreads();
      if (Tiles::any()) {
        const int depth = min(slab, K - begin);
        multiply(scores, q, depth);
        if (call.residual) multiply(gram, k, depth);
      }
      __syncthreads();
    }
    if (!Tiles::any()) return;
    for_pairs<Tiles>(scores, [&](int i, int j, float x, float y) {
      store_pair(workspace.P + (place * C + i) * C + j, decayed(x, i, j), decayed(y, i, j + 1));
    });
    if (!call.residual) return;
    for_pairs<Tiles>(gram, [&](int i, int j, float x, float y) {
      L[i * Inverse::stride + j] = decayed(x, i, j) * b[i];
      L[i * Inverse::stride + j + 1] = decayed(y, i, j + 1) * b[i];
    });
  }

  /// Rows times k^T, without tiles above the diagonal.
  __device__ void multiply(float (&d)[Tiles::n][4], const E* rows, int depth) const {
    const int count = (Tiles::row() + 16 - Tiles::first()) / 8;
    const E *left = rows + Tiles::row() * slab_stride, *right = k + Tiles::first() * slab_stride;
    TileProduct<E>::template add<Stored::as_it_is, Stored::transposed>(d, left, slab_stride, right, slab_stride,
                                                                       depth, count);
  }

  /// x 2^(G_i - G_j) on and below the diagonal, else zero. The exponent is masked, not the product.
  __device__ float decayed(float x, int i, int j) const {
    return i >= j && i < chunk.count ? x * simt::exp2_approx(G[i] - G[j]) : 0.0f;
  }

  __device__ void solve() {
    Inverse{X, L, reinterpret_cast<float*>(k)}.form();
    const Products times{T, k};
    times.round(X);
    times.multiply(Unit::values(), static_cast<int>(call.V), b, nullptr,
                   workspace.u + place * C * call.V);
    times.multiply(Unit::keys(), static_cast<int>(call.K), b, from_start,
                   workspace.w + place * C * call.K);
  }
};

/// Blocks: slots x value heads.
template <class E, int C>
__global__ void __launch_bounds__(chunk_threads) chunk_prepare(KernelCall call) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  ChunkPrepare<E, C>(call, shared_bytes).run(blockIdx.x);
}

}  // namespace deltaproof
