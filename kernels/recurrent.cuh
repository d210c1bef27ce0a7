#pragma once

#include "kernels/common_run.cuh"
#include "kernels/recurrent_rows.cuh"

namespace deltaproof {

/// The tokens of one stage in shared memory, in fp32.
struct RecurrentStage {
  float* k;      ///< tokens x K, normalised if so asked
  float* q;      ///< tokens x K, scaled too
  float* decay;  ///< tokens x 1, or tokens x K per channel
  float* v;      ///< tokens x 16 columns
  float* b;      ///< tokens

  static constexpr std::size_t bytes(std::int64_t K) {
    using namespace recurrent_layout;
    return stage_tokens * (3 * static_cast<std::size_t>(K) + columns + 1) * sizeof(float);
  }
  __device__ static RecurrentStage in(unsigned char* shared, int K) {
    using namespace recurrent_layout;
    float* k = reinterpret_cast<float*>(shared);
    float* v = k + 3 * stage_tokens * K;
    return {k, k + stage_tokens * K, k + 2 * stage_tokens * K, v, v + stage_tokens * columns};
  }
};

/// What a block works on.
struct RecurrentPlace {
  std::int64_t n;  ///< the sequence
  SequencePlace sequence;
  std::int64_t head;
  int first_column;
};

/// A row in fp32 by one warp. Lanes read back only what they wrote themselves: no barrier.
template <class E>
__device__ void load_row(float* to, const E* from, int K, bool normalise, float l2norm_eps, float scale) {
  for (int i = warp_lane(); i < K; i += warp_size) to[i] = simt::to_float(from[i]);
  const float factor = normalise ? norm_factor(square_sum(to, K), l2norm_eps) : 1.0f;
  for (int i = warp_lane(); i < K; i += warp_size) to[i] = to[i] * factor * scale;
}

/// Token `row` (of the B T) as token t of the stage, by one warp.
template <class E>
__device__ void load_token(const KernelCall& call, const RecurrentPlace& place, const RecurrentStage& stage,
                           std::int64_t row, int t) {
  using recurrent_layout::columns;
  const int K = static_cast<int>(call.K);
  const std::int64_t keys = (row * call.H + key_head(call, place.head)) * call.K;
  const std::int64_t value = row * call.HV + place.head;
  load_row(stage.q + t * K, static_cast<const E*>(call.q) + keys, K, call.normalise_q, call.l2norm_eps, call.scale);
  load_row(stage.k + t * K, static_cast<const E*>(call.k) + keys, K, call.normalise_k, call.l2norm_eps, 1.0f);
  const float n = needs_key_norm(call.coefficient) ? square_sum(stage.k + t * K, K) : 0.0f;
  if (call.g != nullptr) {
    const int width = call.per_channel ? K : 1;
    for (int i = warp_lane(); i < width; i += warp_size) {
      const float g = number_at(call.g, call.g_type, value * width + i);
      stage.decay[t * width + i] = simt::exp2_approx(g * log2e);
    }
  }
  const int column = place.first_column + warp_lane();
  if (warp_lane() < columns && column < call.V) {
    stage.v[t * columns + warp_lane()] = simt::to_float(static_cast<const E*>(call.v)[value * call.V + column]);
  }
  if (warp_lane() == 0) {
    const float w = call.write == nullptr ? 1.0f : number_at(call.write, call.write_type, value);
    stage.b[t] = write_coefficient(call, w, n);
  }
}

/// What token t of the stage makes of one column.
struct TokenStep {
  float o, error, written;  ///< `written`: b times the error
};

template <int Rows>
__device__ TokenStep token_step(const KernelCall& call, const RecurrentStage& stage, StateRows<Rows>& S, int t,
                                float v, int lane) {
  const int K = static_cast<int>(call.K);
  if (call.g != nullptr) S.decay(stage.decay + t * (call.per_channel ? K : 1), call.per_channel, lane);
  const float error = call.residual ? v - S.dot(stage.k + t * K, lane) : v;
  const float written = error * stage.b[t];
  S.write(stage.k + t * K, written, lane);
  return {S.dot(stage.q + t * K, lane), error, written};
}

template <class E, int Rows>
__device__ void run_tokens(const KernelCall& call, const RecurrentPlace& place, const RecurrentStage& stage,
                           StateRows<Rows>& S, int lane, int column) {
  using namespace recurrent_layout;
  const bool exists = place.first_column + column < call.V;
  for (std::int64_t begin = 0; begin < place.sequence.length; begin += stage_tokens) {
    const std::int64_t left = place.sequence.length - begin, row = place.sequence.first + begin;
    const int count = left < stage_tokens ? static_cast<int>(left) : stage_tokens;
    for (int t = warp_number(); t < count; t += warps) load_token<E>(call, place, stage, row + t, t);
    __syncthreads();
    for (int t = 0; t < count; ++t) {
      const TokenStep made = token_step(call, stage, S, t, exists ? stage.v[t * columns + column] : 0.0f, lane);
      if (lane == 0 && exists) {
        const std::int64_t to = ((row + t) * call.HV + place.head) * call.V + place.first_column + column;
        static_cast<E*>(call.o)[to] = simt::from_float<E>(made.o);
        if (call.u != nullptr) call.u[to] = call.u_is_error ? made.error : made.written;
      }
      const std::int64_t kept = chunk_state_row(call, place.n, place.sequence.length, begin + t + 1);
      const int j = place.first_column + column;
      if (exists && kept >= 0) store_rows(call, call.chunk_states, kept, place.head, S, lane, j);
    }
    __syncthreads();  // before the next stage is written
  }
}

/// Blocks: sequences x value heads x tiles of 16 columns.
template <class E, int Rows>
__global__ void __launch_bounds__(recurrent_layout::threads) recurrent(KernelCall call) {
  using namespace recurrent_layout;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  const int K = static_cast<int>(call.K);
  const RecurrentStage stage = RecurrentStage::in(shared_bytes, K);
  const int lane = static_cast<int>(threadIdx.x) % lanes, column = static_cast<int>(threadIdx.x) / lanes;
  const std::int64_t block = blockIdx.x, tiles = (call.V + columns - 1) / columns, head_place = block / tiles;
  const std::int64_t n = head_place / call.HV;
  const RecurrentPlace place{n, sequence_place(call, n), head_place % call.HV,
                             static_cast<int>(block % tiles) * columns};
  const std::int64_t row = place.sequence.state_row;
  if (row < 0) return;
  const int j = place.first_column + column;
  StateRows<Rows> S;
  S.count = (K - lane + lanes - 1) / lanes;
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
    const bool given = call.initial_state != nullptr && i < S.count && j < call.V;
    S.at[i] = given ? call.initial_state[state_place(call, row, place.head, lane + lanes * i, j)] : 0.0f;
  }
  run_tokens<E>(call, place, stage, S, lane, column);
  if (call.final_state == nullptr || j >= call.V) return;
  store_rows(call, call.final_state, row, place.head, S, lane, j);
}

/// Launches `recurrent` for inputs of type E. Throws if the launch fails.
template <class E>
void launch_recurrent(const KernelCall& call) {
  using namespace recurrent_layout;
  const std::int64_t blocks = call.N * call.HV * ((call.V + columns - 1) / columns);
  const std::size_t shared = RecurrentStage::bytes(call.K);
  if (blocks == 0) return;
  const dim3 grid = linear_grid("recurrent", blocks);
  if (call.K <= 16 * lanes) {
    simt::launch(grid, dim3(threads), shared, recurrent<E, 16>, call);
  } else {
    simt::launch(grid, dim3(threads), shared, recurrent<E, 32>, call);
  }
}

}  // namespace deltaproof
