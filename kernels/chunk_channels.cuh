#pragma once

#include "kernels/chunk_unit.cuh"
#include "kernels/common_run.cuh"

namespace deltaproof {

constexpr int channel_slab = 32;  ///< channels in shared memory at a time

/// Products of rows in fp32 between blocks of 16 tokens: sum_c x_c y_c, channels ascending.
template <class E>
struct ChannelProduct {
  /// In TF32, which cuts the factors. D += X Y^T, 16 x 8; rows `stride` apart; depth a multiple of 8.
  __device__ static void add(float (&d)[4], const float* x, const float* y, int stride, int depth) {
    const int row = warp_lane() / 4, channel = warp_lane() % 4;
    for (int c = channel; c < depth; c += 8) {
      const std::uint32_t a[4] = {
          __float_as_uint(x[row * stride + c]), __float_as_uint(x[(row + 8) * stride + c]),
          __float_as_uint(x[row * stride + c + 4]), __float_as_uint(x[(row + 8) * stride + c + 4])};
      simt::mma_m16n8k8_tf32(d, a, {__float_as_uint(y[row * stride + c]), __float_as_uint(y[row * stride + c + 4])});
    }
  }
};

template <>
struct ChannelProduct<float> {
  /// In fp32.
  __device__ static void add(float (&d)[4], const float* x, const float* y, int stride, int depth) {
    float one[1][4] = {{d[0], d[1], d[2], d[3]}};
    TileProduct<float>::add<Stored::as_it_is, Stored::transposed>(one, x, stride, y, stride, depth);
    for (int e = 0; e < 4; ++e) d[e] = one[0][e];
  }
};

/// What chunk_prepare makes, with a decay for each key channel: P, u, w, and q 2^G, k 2^(G_last - G), 2^G_last. Sums
/// over channels grow in shared memory, slab of channels after slab: between blocks of 16 tokens by products of
/// decayed rows, inside a block by a chain of fma in one thread.
template <class E, int C>
struct ChunkChannels : ChunkUnit<E, C> {
  using Unit = ChunkUnit<E, C>;
  using Unit::call, Unit::workspace, Unit::chunk, Unit::head, Unit::place;
  using Inverse = UnitLowerInverse<C>;
  using Products = InverseProducts<E, C>;
  static constexpr int tile = 16, blocks = C / tile, square = Inverse::stride;
  static constexpr int rows_stride = padded<E, channel_slab>, stride = padded<float, channel_slab>;
  static constexpr int earlier = C > tile ? C - tile : tile;  ///< tokens before the last block
  static constexpr std::size_t rows_bytes = sizeof(E) * C * rows_stride;
  static constexpr std::size_t factor_bytes =
      2 * rows_bytes > Products::factor_bytes ? 2 * rows_bytes : Products::factor_bytes;
  static constexpr std::size_t bytes =
      factor_bytes + Products::T_bytes +
      sizeof(float) * (2 * C * square + (C + 2 * tile + earlier) * stride + C);
  static_assert(Inverse::scratch * sizeof(float) <= factor_bytes);

  E *k, *q;      ///< slabs of the rows; later the factor that T multiplies
  E* T;
  float *L, *scores;  ///< C x C; scores later hold the inverse
  float* G;      ///< slab
  float* later;  ///< q_i 2^(G_i - G_n), then k_i 2^(G_i - G_n) of one block
  float* before; ///< k_j 2^(G_n - G_j) of the tokens before it
  float* b;

  __device__ ChunkChannels(const KernelCall& of, unsigned char* shared) : Unit(of) {
    k = reinterpret_cast<E*>(shared);
    q = k + C * rows_stride;
    T = reinterpret_cast<E*>(shared + factor_bytes);
    L = reinterpret_cast<float*>(shared + factor_bytes + Products::T_bytes);
    scores = L + C * square;
    G = scores + C * square;
    later = G + C * stride;
    before = later + 2 * tile * stride;
    b = before + earlier * stride;
  }

  __device__ void run(std::int64_t item) {
    if (!Unit::select(item)) return;
    for (int e = static_cast<int>(threadIdx.x); e < 2 * C * square; e += chunk_threads) L[e] = 0;  // and scores
    if (call.residual) Unit::coefficients(b);
    const int K = static_cast<int>(call.K);
    for (int begin = 0; begin < K; begin += channel_slab) {
      load_slab(begin);
      const int width = min(channel_slab, K - begin);
      keep_decayed(begin, width);
      add_in_blocks(width);
      for (int n = tile; n < chunk.count; n += tile) add_between(n, width);
      __syncthreads();  // before the next slab
    }
    keep_scores();
    if (!call.residual) return;
    __syncthreads();
    solve();
  }

  __device__ void load_slab(int begin) {
    const int K = static_cast<int>(call.K);
    load_tile<E, C, channel_slab>(k, Unit::keys(), begin, K);
    load_tile<E, C, channel_slab>(q, Unit::queries(), begin, K);
    simt::cp_async_commit();
    const int c = static_cast<int>(threadIdx.x);
    if (c < channel_slab && begin + c < K) {
      float sum = 0;
      for (int t = 0; t < chunk.count; ++t) {
        const float g = number_at(call.g, call.g_type, Unit::token(t) * K + begin + c);
        sum = t == 0 ? g : sum + g;
        G[t * stride + c] = sum * log2e;
      }
    }
    simt::cp_async_wait<0>();
    __syncthreads();
  }

  /// q 2^G, k 2^(G_last - G) and 2^G_last for the pass over the state; b k 2^G, which T multiplies later, where w
  /// will be. Rows behind the last token are zero.
  __device__ void keep_decayed(int begin, int width) {
    const std::int64_t K = call.K, first = place * C * K + begin;
    for (int e = static_cast<int>(threadIdx.x); e < C * channel_slab; e += chunk_threads) {
      const int t = e / channel_slab, c = e % channel_slab;
      if (c >= width) continue;
      const bool exists = t < chunk.count;
      const float G_t = exists ? G[t * stride + c] : 0.0f, G_last = G[(chunk.count - 1) * stride + c];
      const float from_start = simt::exp2_approx(G_t);
      const float q_t = simt::to_float(q[t * rows_stride + c]), k_t = simt::to_float(k[t * rows_stride + c]);
      const std::int64_t to = first + t * K + c;
      workspace.q_decayed[to] = simt::from_float<E>(exists ? q_t * from_start : 0.0f);
      workspace.k_decayed[to] = simt::from_float<E>(exists ? k_t * simt::exp2_approx(G_last - G_t) : 0.0f);
      if (call.residual) workspace.w[to] = simt::from_float<E>(exists ? k_t * b[t] * from_start : 0.0f);
      if (t == 0) workspace.whole[place * K + begin + c] = simt::exp2_approx(G_last);
    }
  }

  /// Pairs of tokens i >= j in one block of 16.
  __device__ void add_in_blocks(int width) {
    for (int e = static_cast<int>(threadIdx.x); e < blocks * tile * tile; e += chunk_threads) {
      const int i = e / tile, j = e / (tile * tile) * tile + e % tile;
      if (j > i || i >= chunk.count) continue;
      float score = scores[i * square + j], gram = L[i * square + j];
      for (int c = 0; c < width; ++c) {
        const float decay = simt::exp2_approx(G[i * stride + c] - G[j * stride + c]);
        const float q_i = simt::to_float(q[i * rows_stride + c]), k_j = simt::to_float(k[j * rows_stride + c]);
        if (call.residual) {
          const float k_decayed = k_j * decay;
          score = fmaf(q_i, k_decayed, score);
          gram = fmaf(simt::to_float(k[i * rows_stride + c]) * b[i], k_decayed, gram);
        } else {
          score = fmaf(q_i * k_j, decay, score);
        }
      }
      scores[i * square + j] = score;
      L[i * square + j] = gram;
    }
  }

  /// Tokens of the block that begins at n with all before it.
  __device__ void add_between(int n, int width) {
    __syncthreads();  // before the factors are replaced
    for (int e = static_cast<int>(threadIdx.x); e < (tile + n) * channel_slab; e += chunk_threads) {
      const int row = e / channel_slab, c = e % channel_slab;
      if (c < width) decay_row(n, row, c);
    }
    __syncthreads();
    // Even warps have the scores, odd ones the Gram matrix; each takes every second tile of 8 tokens.
    const bool of_scores = warp_number() % 2 == 0;
    if (!of_scores && !call.residual) return;
    for (int j = warp_number() / 2 * 8; j < n; j += 16) {
      float* to = (of_scores ? scores : L) + (n + fragment_row()) * square + j + fragment_column();
      float d[4] = {to[0], to[1], to[8 * square], to[8 * square + 1]};
      ChannelProduct<E>::add(d, later + (of_scores ? 0 : tile * stride), before + j * stride, stride, width);
      to[0] = d[0], to[1] = d[1], to[8 * square] = d[2], to[8 * square + 1] = d[3];
    }
  }

  /// Row 0 to 15: of the block; the others: tokens from 0.
  __device__ void decay_row(int n, int row, int c) {
    const float G_n = G[n * stride + c];
    if (row >= tile) {
      const int j = row - tile;
      before[j * stride + c] =
          simt::to_float(k[j * rows_stride + c]) * simt::exp2_approx(G_n - G[j * stride + c]);
      return;
    }
    const int i = n + row;
    const bool exists = i < chunk.count;
    const float decay = exists ? simt::exp2_approx(G[i * stride + c] - G_n) : 0.0f;
    const float q_i = exists ? simt::to_float(q[i * rows_stride + c]) * decay : 0.0f;
    later[row * stride + c] = call.residual ? q_i : q_i * call.scale;
    later[(tile + row) * stride + c] = exists ? simt::to_float(k[i * rows_stride + c]) * decay : 0.0f;
  }

  /// P = round(scale scores); between blocks b enters L, and without residual the scale is in the scores.
  __device__ void keep_scores() {
    for (int e = static_cast<int>(threadIdx.x); e < C * C; e += chunk_threads) {
      const int i = e / C, j = e % C;
      const bool between = i / tile > j / tile;
      float score = j <= i ? scores[i * square + j] : 0.0f;
      if (call.residual || !between) score = score * call.scale;
      workspace.P[place * C * C + e] = simt::from_float<E>(score);
      if (call.residual && between) L[i * square + j] = L[i * square + j] * b[i];
    }
  }

  __device__ void solve() {
    Inverse{scores, L, reinterpret_cast<float*>(k)}.form();
    const Products times{T, k};
    times.round(scores);
    times.multiply(Unit::values(), static_cast<int>(call.V), b, nullptr, workspace.u + place * C * call.V);
    E* w = workspace.w + place * C * call.K;
    times.multiply({w, call.K, chunk.count}, static_cast<int>(call.K), nullptr, nullptr, w);
  }
};

/// Blocks: slots x value heads.
template <class E, int C>
__global__ void __launch_bounds__(chunk_threads) chunk_prepare_channels(KernelCall call) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  ChunkChannels<E, C>(call, shared_bytes).run(blockIdx.x);
}

template <class E, int C>
void launch_prepare_channels(const KernelCall& call) {
  simt::launch(linear_grid("chunk", chunk_slots(call) * call.HV), dim3(chunk_threads), ChunkChannels<E, C>::bytes,
               chunk_prepare_channels<E, C>, call);
}

}  // namespace deltaproof
