#pragma once

#include "kernels/common.cuh"

namespace deltaproof {

/// Most tokens that a chunk of the call has.
__host__ __device__ inline std::int64_t chunk_size(const KernelCall& call) { return call.chunk; }

/// Places for chunks in the workspace. With cu_seqlens, which lies on the device, some stay empty.
__host__ __device__ inline std::int64_t chunk_slots(const KernelCall& call) {
  const std::int64_t C = chunk_size(call);
  return call.cu_seqlens == nullptr ? call.N * ((call.T + C - 1) / C) : call.T / C + call.N;
}

/// Place of the first chunk of sequence n: no two sequences share one, as
/// floor(a / C) + ceil(l / C) <= floor((a + l) / C) + 1.
__device__ inline std::int64_t first_slot(const KernelCall& call, std::int64_t n) {
  const std::int64_t C = chunk_size(call);
  return call.cu_seqlens == nullptr ? n * ((call.T + C - 1) / C) : call.cu_seqlens[n] / C + n;
}

/// One chunk and where its tokens lie.
struct ChunkPlace {
  std::int64_t slot;
  std::int64_t first;  ///< row of its first token among the B T tokens
  int count;           ///< tokens; 0: the slot is empty, or its sequence is skipped
};

__device__ inline ChunkPlace chunk_of_sequence(const KernelCall& call, const SequencePlace& sequence, std::int64_t n,
                                               std::int64_t chunk) {
  const std::int64_t begin = chunk * chunk_size(call), left = sequence.length - begin;
  const std::int64_t count = left < chunk_size(call) ? left : chunk_size(call);
  const bool exists = left > 0 && sequence.state_row >= 0;
  return {first_slot(call, n) + chunk, sequence.first + begin, exists ? static_cast<int>(count) : 0};
}

/// The chunk in a slot.
__device__ inline ChunkPlace chunk_in_slot(const KernelCall& call, std::int64_t slot) {
  std::int64_t n = 0, end = call.N;  // the last sequence that begins at or before the slot is in [n, end)
  while (end - n > 1) {
    const std::int64_t middle = n + (end - n) / 2;
    if (first_slot(call, middle) <= slot) {
      n = middle;
    } else {
      end = middle;
    }
  }
  return chunk_of_sequence(call, sequence_place(call, n), n, slot - first_slot(call, n));
}

/// What the kernels of `chunk` hand on, each part aligned to 256 bytes. Parts marked + are there for each slot and
/// value head.
template <class E>
struct ChunkWorkspace {
  E* q;          ///< B T H x K: rows that the kernel normalises; null if it does not
  E* k;
  E* P;          ///< + C x C
  E* w;          ///< + C x K, with residual
  E* u;          ///< + C x V, with residual
  float* G;      ///< + C: prefix sums of g times log2 e; behind the last token those of the last. Scalar decay
  E* q_decayed;  ///< + C x K: q 2^G. Per channel, as the two below
  E* k_decayed;  ///< + C x K: k 2^(G_last - G)
  float* whole;  ///< + K: 2^G_last

  /// Divides the workspace; returns its bytes.
  __host__ __device__ std::size_t divide(const KernelCall& call) {
    const std::int64_t rows = call.B * call.T * call.H, each = chunk_slots(call) * call.HV, C = chunk_size(call);
    unsigned char* from = static_cast<unsigned char*>(call.workspace);
    std::size_t used = 0;
    q = take<E>(from, used, call.normalise_q ? rows * call.K : 0);
    k = take<E>(from, used, call.normalise_k ? rows * call.K : 0);
    P = take<E>(from, used, each * C * C);
    w = take<E>(from, used, call.residual ? each * C * call.K : 0);
    u = take<E>(from, used, call.residual ? each * C * call.V : 0);
    G = take<float>(from, used, call.per_channel ? 0 : each * C);
    q_decayed = take<E>(from, used, call.per_channel ? each * C * call.K : 0);
    k_decayed = take<E>(from, used, call.per_channel ? each * C * call.K : 0);
    whole = take<float>(from, used, call.per_channel ? each * call.K : 0);
    return used;
  }
  /// q and k as they are used: B T H x K.
  __device__ const E* queries(const KernelCall& call) const {
    return call.normalise_q ? q : static_cast<const E*>(call.q);
  }
  __device__ const E* keys(const KernelCall& call) const {
    return call.normalise_k ? k : static_cast<const E*>(call.k);
  }

 private:
  template <class Part>
  __host__ __device__ static Part* take(unsigned char* from, std::size_t& used, std::int64_t count) {
    if (count == 0) return nullptr;
    const std::size_t at = used;
    used += (static_cast<std::size_t>(count) * sizeof(Part) + 255) / 256 * 256;
    return from == nullptr ? nullptr : reinterpret_cast<Part*>(from + at);
  }
};

}  // namespace deltaproof
