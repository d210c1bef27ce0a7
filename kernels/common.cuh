#pragma once

#include <cstdint>

#include "kernels/call.hpp"
#include "kernels/simt/simt.cuh"

/// What the built-in kernels share: where tensors lie, and arithmetic on rows (docs/arithmetic.md, 'Built-in
/// kernels').
namespace deltaproof {

constexpr int warp_size = 32;
constexpr std::uint32_t all_lanes = 0xffffffffu;
constexpr float log2e = 1.4426950408889634f;

__device__ inline int warp_lane() { return static_cast<int>(threadIdx.x) % warp_size; }
__device__ inline int warp_number() { return static_cast<int>(threadIdx.x) / warp_size; }

/// Tokens and state of one sequence.
struct SequencePlace {
  std::int64_t first;      ///< row of its first token among the B T tokens
  std::int64_t length;     ///< tokens; 0 is legal
  std::int64_t state_row;  ///< outer row of the states; -1: the sequence is skipped
};

__device__ inline SequencePlace sequence_place(const KernelCall& call, std::int64_t n) {
  const std::int64_t state_row = call.state_indices == nullptr ? n : call.state_indices[n];
  if (call.cu_seqlens == nullptr) return {n * call.T, call.T, state_row};
  return {call.cu_seqlens[n], call.cu_seqlens[n + 1] - call.cu_seqlens[n], state_row};
}

__device__ inline std::int64_t key_head(const KernelCall& call, std::int64_t head) {
  return head / (call.HV / call.H);
}

/// Place of element (r, j) of a state.
__device__ inline std::int64_t state_place(const KernelCall& call, std::int64_t row, std::int64_t head, int r,
                                           int j) {
  const std::int64_t inner = call.state_vk ? j * call.K + r : r * call.V + j;
  return (row * call.HV + head) * call.K * call.V + inner;
}

/// Row of `chunk_states` of the state behind `tokens` tokens of sequence n; -1: that state is not among them.
__device__ inline std::int64_t chunk_state_row(const KernelCall& call, std::int64_t n, std::int64_t length,
                                               std::int64_t tokens) {
  if (call.chunk_states == nullptr || (tokens % call.states_every != 0 && tokens != length)) return -1;
  const std::int64_t every = call.states_every, each = (call.T + every - 1) / every;
  const std::int64_t first = call.first_states == nullptr ? n * each : call.first_states[n];
  return first + (tokens - 1) / every;
}

/// Element i of a tensor whose type is known at run time, in fp32.
__device__ inline float number_at(const void* tensor, CallType type, std::int64_t i) {
  switch (type) {
    case CallType::bf16: return simt::to_float(static_cast<const simt::bf16*>(tensor)[i]);
    case CallType::f16: return simt::to_float(static_cast<const simt::f16*>(tensor)[i]);
    case CallType::f32: break;
  }
  return static_cast<const float*>(tensor)[i];
}

/// Sum of squares of `count` values by a warp: lane l adds those at l, l + 32, .., then halves of the lanes.
template <class E>
__device__ float square_sum(const E* row, int count) {
  float sum = 0;
  for (int i = warp_lane(); i < count; i += warp_size) {
    const float x = simt::to_float(row[i]);
    sum = fmaf(x, x, sum);
  }
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    sum = sum + __shfl_xor_sync(all_lanes, sum, distance);
  }
  return sum;
}

/// Factor that divides a row with this sum of squares by its length.
__device__ inline float norm_factor(float squares, float eps) { return 1.0f / sqrtf(squares + eps); }

__device__ inline bool needs_key_norm(Coefficient coefficient) {
  return coefficient != Coefficient::one && coefficient != Coefficient::given;
}

/// Write coefficient b from w and n, the sum of squares of the key as it is used.
__device__ inline float write_coefficient(const KernelCall& call, float w, float n) {
  switch (call.coefficient) {
    case Coefficient::one: return 1;
    case Coefficient::given: return w;
    case Coefficient::kaczmarz: return w / (n + call.eps);
    case Coefficient::key_norm_only: return 1.0f / (n + call.eps);
    case Coefficient::learned_scalar: return w / fmaf(call.c, n, call.eps);
    case Coefficient::longhorn: break;
  }
  return w / fmaf(w, n, 1.0f);
}

}  // namespace deltaproof
