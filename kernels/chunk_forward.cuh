#pragma once

#include "kernels/chunk_unit.cuh"

namespace deltaproof {

/// One head of one sequence, chunk after chunk, for 32 columns of the values: v_new = u - w S, o from q S and
/// P v_new, S = S 2^G_last + k^T v_scaled. S stays in fp32 registers from first to last; warp w has rows
/// 64 s + 16 w + [0, 16) of slab s. Wide matrices pass through shared memory in slabs of 64 columns.
template <class E, int C>
struct ChunkForward : ChunkUnit<E, C> {
  using Unit = ChunkUnit<E, C>;
  using Unit::call, Unit::workspace, Unit::chunk, Unit::head, Unit::place;
  static constexpr int width = 32, slabs = 4, buffers = sizeof(E) == 2 ? 2 : 1;
  static constexpr int slab_stride = padded<E, slab>, stride = padded<E, width>, P_stride = padded<E, C>;
  using Tiles = WarpTiles<C, width>;
  static constexpr int state_tiles = width / 8;
  static constexpr int slab_size = C * slab_stride, tile_size = C * stride;  ///< elements

  static constexpr std::size_t bytes(std::int64_t K) {
    const std::int64_t rows = (K + slab - 1) / slab * slab;
    return sizeof(E) * static_cast<std::size_t>(2 * buffers * slab_size + 2 * tile_size + rows * stride);
  }

  E* slabs_at;       ///< `buffers` times two slabs: w and q; or P; or k
  E *v_new, *v_scaled;  ///< C x width; v_new receives u, or v without residual
  E* S_copy;         ///< K x width, rounded
  const int K, V, K_slabs;

  SequencePlace sequence;
  int column;  ///< first
  float S[slabs][state_tiles][4];

  __device__ ChunkForward(const KernelCall& of, unsigned char* shared)
      : Unit(of), K(static_cast<int>(of.K)), V(static_cast<int>(of.V)), K_slabs((K + slab - 1) / slab) {
    slabs_at = reinterpret_cast<E*>(shared);
    v_new = slabs_at + 2 * buffers * slab_size;
    v_scaled = v_new + tile_size;
    S_copy = v_scaled + tile_size;
  }

  /// Item: sequence, value head and tile of columns.
  __device__ void run(std::int64_t item) {
    const std::int64_t tiles = (call.V + width - 1) / width, n = item / tiles / call.HV;
    column = static_cast<int>(item % tiles) * width;
    head = item / tiles % call.HV;
    sequence = sequence_place(call, n);
    if (sequence.state_row < 0) return;
    load_state();
    for (std::int64_t number = 0; number * C < sequence.length; ++number) {
      chunk = chunk_of_sequence(call, sequence, n, number);
      place = chunk.slot * call.HV + head;
      step();
      const std::int64_t row = chunk_state_row(call, n, sequence.length, number * C + chunk.count);
      if (row >= 0) store_state(call.chunk_states, row);
    }
    if (call.final_state != nullptr) store_state(call.final_state, sequence.state_row);
  }

  /// Calls f(element of S, row, column) for what the thread has of the state.
  template <class F>
  __device__ void for_state(const F& f) {
#pragma unroll
    for (int s = 0; s < slabs; ++s) {
      if (s >= K_slabs) break;
#pragma unroll
      for (int n = 0; n < state_tiles; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          f(S[s][n][e], s * slab + 16 * warp_number() + fragment_row() + e / 2 * 8,
            8 * n + fragment_column() + e % 2);
        }
      }
    }
  }
  __device__ void load_state() {
    const float* from = call.initial_state;
    for_state([&](float& x, int r, int j) {
      const bool given = from != nullptr && r < K && column + j < V;
      x = given ? from[state_place(call, sequence.state_row, head, r, column + j)] : 0.0f;
    });
  }
  __device__ void store_state(float* to, std::int64_t row) {
    for_state([&](float& x, int r, int j) {
      if (r < K && column + j < V) to[state_place(call, row, head, r, column + j)] = x;
    });
  }

  // Stages of a chunk: slabs of w and q; P; slabs of k.
  __device__ E* buffer(int stage) const { return slabs_at + stage % buffers * 2 * slab_size; }

  __device__ void load(int stage) {
    E* to = buffer(stage);
    if (stage < K_slabs) {
      if (call.residual) load_tile<E, C, slab>(to, full(workspace.w, K), stage * slab, K);
      load_tile<E, C, slab>(to + slab_size, queries(), stage * slab, K);
      if (stage == 0) load_tile<E, C, width>(v_new, call.residual ? full(workspace.u, V) : Unit::values(), column, V);
    } else if (stage == K_slabs) {
      load_tile<E, C, C>(to, full(workspace.P, C), 0, C);
    } else if (stage <= 2 * K_slabs) {
      load_tile<E, C, slab>(to, keys(), (stage - K_slabs - 1) * slab, K);
    }
    simt::cp_async_commit();
  }
  /// Waits for the stage's loads; those of the next go on if there is a second buffer.
  __device__ const E* arrive(int stage) {
    load(stage + buffers - 1);
    simt::cp_async_wait<buffers - 1>();
    __syncthreads();
    return buffer(stage);
  }

  /// C rows in the workspace.
  __device__ TileSource<E> full(const E* part, int columns) const {
    return {part + place * C * columns, columns, C};
  }
  __device__ TileSource<E> queries() const {
    return call.per_channel ? full(workspace.q_decayed, K) : Unit::queries();
  }
  __device__ TileSource<E> keys() const { return call.per_channel ? full(workspace.k_decayed, K) : Unit::keys(); }

  __device__ void step() {
    if (buffers > 1) load(0);
    for_state([&](float& x, int r, int j) { S_copy[r * stride + j] = simt::from_float<E>(x); });
    float from_state[Tiles::n][4] = {}, w_S[Tiles::n][4] = {};
    int stage = 0;
    for (; stage < K_slabs; ++stage) {
      const E* wq = arrive(stage) + Tiles::row() * slab_stride;
      const E* state = S_copy + stage * slab * stride + Tiles::first();
      const int depth = min(slab, K - stage * slab);
      if (call.residual) multiply(w_S, wq, slab_stride, state, depth);
      multiply(from_state, wq + slab_size, slab_stride, state, depth);
      if (stage + 1 < K_slabs) __syncthreads();
    }
    new_values(w_S);
    __syncthreads();
    output(from_state, arrive(stage));
    __syncthreads();
    update_state();
  }

  __device__ static void multiply(float (&d)[Tiles::n][4], const E* a, int a_stride, const E* b, int depth) {
    TileProduct<E>::template add<Stored::as_it_is, Stored::as_it_is>(d, a, a_stride, b, stride, depth);
  }

  /// v_new and v_scaled in shared memory, each thread those of its fragments.
  __device__ void new_values(const float (&w_S)[Tiles::n][4]) {
    for_pairs<Tiles>(w_S, [&](int i, int j, float x, float y) {
      E* to = v_new + i * stride + j;
      float full[2] = {simt::to_float(to[0]), simt::to_float(to[1])};
      if (call.residual) {
        full[0] = full[0] - x, full[1] = full[1] - y;
        store_pair(to, full[0], full[1]);
      }
      if (call.u != nullptr && i < chunk.count && column + j < V) {
        store_pair(call.u + Unit::token(i) * V + column + j, full[0], full[1]);
      }
      if (call.per_channel) return;
      const float* G = workspace.G + place * C;
      const float to_end = simt::exp2_approx(G[chunk.count - 1] - G[i]);
      store_pair(v_scaled + i * stride + j, full[0] * to_end, full[1] * to_end);
    });
  }

  __device__ void output(float (&from_state)[Tiles::n][4], const E* P) {
    float from_chunk[Tiles::n][4] = {};
#pragma unroll
    for (int n = 0; n < Tiles::n; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        float& a = from_state[n][e];
        if (call.per_channel) {
          from_chunk[n][e] = a * call.scale;
        } else {
          a = a * simt::exp2_approx(workspace.G[place * C + Tiles::row() + fragment_row() + e / 2 * 8]);
        }
      }
    }
    multiply(from_chunk, P + Tiles::row() * P_stride, P_stride, v_new + Tiles::first(), chunk.count);
    if (!call.per_channel) {
#pragma unroll
      for (int n = 0; n < Tiles::n; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          from_chunk[n][e] = fmaf(from_state[n][e], call.scale, from_chunk[n][e] * call.scale);
        }
      }
    }
    for_pairs<Tiles>(from_chunk, [&](int i, int j, float x, float y) {
      if (i >= chunk.count || column + j >= V) return;
      const std::int64_t row = (chunk.first + i) * call.HV + head;
      store_pair(static_cast<E*>(call.o) + row * V + column + j, x, y);
    });
  }

  __device__ void update_state() {
    const float decay = call.per_channel ? 1.0f : simt::exp2_approx(workspace.G[place * C + chunk.count - 1]);
    const E* x = call.per_channel ? v_new : v_scaled;
#pragma unroll
    for (int s = 0; s < slabs; ++s) {
      if (s >= K_slabs) break;
      const E* k = arrive(K_slabs + 1 + s);
      decay_slab(S[s], s * slab + 16 * warp_number() + fragment_row(), decay);
      TileProduct<E>::template add<Stored::transposed, Stored::as_it_is>(S[s], k + 16 * warp_number(), slab_stride, x,
                                                                         stride, chunk.count);
      __syncthreads();
    }
  }

  __device__ void decay_slab(float (&part)[state_tiles][4], int row, float decay) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int r = row + 8 * half;
      const float factor = call.per_channel ? (r < K ? workspace.whole[place * K + r] : 0.0f) : decay;
#pragma unroll
      for (int n = 0; n < state_tiles; ++n) {
        part[n][2 * half] = part[n][2 * half] * factor;
        part[n][2 * half + 1] = part[n][2 * half + 1] * factor;
      }
    }
  }
};

/// Blocks: sequences x value heads x tiles of 32 columns.
template <class E, int C>
__global__ void __launch_bounds__(chunk_threads) chunk_forward(KernelCall call) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  ChunkForward<E, C>(call, shared_bytes).run(blockIdx.x);
}

}  // namespace deltaproof
