#pragma once

#include "kernels/common.cuh"
#include "kernels/hola_call.hpp"

/// What the kernels around HOLA's cache share (docs/arithmetic.md, 'HOLA's cache').
namespace deltaproof {

constexpr int cache_threads = 128, cache_warps = 4;

/// Where a token lies in its sequence.
struct TokenPlace {
  std::int64_t n;  ///< the sequence
  SequencePlace sequence;
  std::int64_t t;  ///< from the sequence's first token; -1: in no sequence that is computed
};

/// Of row `row` among the B T tokens.
__device__ inline TokenPlace token_place(const KernelCall& call, std::int64_t row) {
  std::int64_t n = 0;
  if (call.cu_seqlens == nullptr) {
    n = row / call.T;
  } else {
    std::int64_t end = call.N;  // the last sequence that begins at or before the row is in [n, end)
    while (end - n > 1) {
      const std::int64_t middle = n + (end - n) / 2;
      if (call.cu_seqlens[middle] <= row) {
        n = middle;
      } else {
        end = middle;
      }
    }
  }
  const SequencePlace sequence = sequence_place(call, n);
  const std::int64_t t = row - sequence.first;
  const bool computed = sequence.state_row >= 0 && t >= 0 && t < sequence.length;
  return {n, sequence, computed ? t : -1};
}

/// Row of `selected` that queries of a sequence's block see.
__device__ inline std::int64_t selected_row(const HolaCall& hola, std::int64_t n, std::int64_t block) {
  return (hola.first_blocks == nullptr ? n * hola.blocks : hola.first_blocks[n]) + block;
}

/// Entries of the cache that queries of a block see which begins at token `begin`.
__device__ inline int kept_entries(const HolaCall& hola, std::int64_t begin) {
  return begin < hola.w ? static_cast<int>(begin) : hola.w;
}

/// Row of q or k of a value head at one of the B T tokens.
template <class E>
__device__ const E* key_row(const KernelCall& call, const void* rows, std::int64_t row, std::int64_t head) {
  return static_cast<const E*>(rows) + (row * call.H + key_head(call, head)) * call.K;
}

template <class E>
__device__ const E* value_row(const KernelCall& call, std::int64_t row, std::int64_t head) {
  return static_cast<const E*>(call.v) + (row * call.HV + head) * call.V;
}

/// What a row of q or k is multiplied with before gamma, by a warp.
template <class E>
__device__ float row_factor(const HolaCall& hola, const E* x) {
  const int K = static_cast<int>(hola.state.K);
  const float n = square_sum(x, K);
  if (hola.read == CallRead::l2) return norm_factor(n, hola.state.l2norm_eps);
  return 1.0f / sqrtf(n / static_cast<float>(K) + hola.read_eps);
}

}  // namespace deltaproof
