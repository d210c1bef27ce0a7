#pragma once

#include "kernels/common.cuh"

namespace deltaproof {

/// Token by token: S = S 2^(g log2 e), d = b (v - S^T k), S = S + k d^T, o = S^T (scale q), for all rules and decode
/// (T = 1). A block takes 16 columns of the state of one head of one sequence; each column lies in 8 lanes of a warp,
/// lane l with rows l, l + 8, .. in registers. Tokens pass through shared memory 8 at a time.
namespace recurrent_layout {
constexpr int lanes = 8, columns = 16, threads = lanes * columns, warps = threads / warp_size, stage_tokens = 8;
}

/// Rows of a column of the state that one lane holds.
template <int Rows>
struct StateRows {
  float at[Rows];
  int count;  ///< that exist

  /// sum_r S_r x_r over the column's 8 lanes.
  __device__ float dot(const float* x, int lane) const {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
      if (i < count) sum = fmaf(at[i], x[lane + recurrent_layout::lanes * i], sum);
    }
    for (int distance = recurrent_layout::lanes / 2; distance > 0; distance /= 2) {
      sum = sum + __shfl_xor_sync(all_lanes, sum, distance);
    }
    return sum;
  }
  /// Each row times its own factor, or all times the first.
  __device__ void decay(const float* factor, bool per_channel, int lane) {
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
      if (i < count) at[i] = at[i] * factor[per_channel ? lane + recurrent_layout::lanes * i : 0];
    }
  }
  __device__ void write(const float* k, float d, int lane) {
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
      if (i < count) at[i] = fmaf(k[lane + recurrent_layout::lanes * i], d, at[i]);
    }
  }
};

/// The rows of column j that the lane holds, into row `row` of states.
template <int Rows>
__device__ void store_rows(const KernelCall& call, float* states, std::int64_t row, std::int64_t head,
                           const StateRows<Rows>& S, int lane, int j) {
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
    if (i < S.count) states[state_place(call, row, head, lane + recurrent_layout::lanes * i, j)] = S.at[i];
  }
}

}  // namespace deltaproof
