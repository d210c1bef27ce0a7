#pragma once

#include "kernels/call.hpp"

namespace deltaproof {

/// What an entry of HOLA's cache is ranked by (docs/semantics.md).
enum class CallScore : std::int32_t { beta_e, write_norm, e, beta_v, recency };

/// Which rows the cache is read with.
enum class CallRead : std::int32_t { rmsnorm, l2 };

/// The cache of decoding: w + C slots for each row of states and value head, and the order they stand in. The first
/// min(w, nC) places of `slot_of` are the cache, those behind it tokens nC, nC + 1, .. of the block under way. A
/// token stays in its slot; at the end of a block only `slot_of` is sorted.
struct CacheSlots {
  void* k;                ///< [P, HV, w + C, K], in the inputs' type
  void* v;                ///< [P, HV, w + C, V]
  float* scores;          ///< [P, HV, w + C]
  float* factors;         ///< [P, HV, w + C]
  std::int32_t* tokens;   ///< [P, HV, w + C]
  std::int32_t* slot_of;  ///< [P, HV, w + C], a permutation
  std::int32_t* length;   ///< [P, HV]: tokens so far
};

/// One run of the layer `hola` or of a part of it, which reads and writes what it needs. Plain data. Blocks of C
/// tokens begin anew in each sequence; row `first_blocks[n] + i` of `selected` is what queries of block i see.
struct HolaCall {
  KernelCall state;  ///< the state beside the cache, with q, k, v, o and the sequences; `u` for scores from it
  std::int32_t w;    ///< entries kept across blocks, 0 to 1024
  std::int32_t C;    ///< tokens a block, 1 to 1024; w + C at most 2048
  CallScore score;
  CallRead read;
  bool read_block;    ///< queries see the tokens of their block up to themselves, beside the cache
  float logit_scale;  ///< tau / sqrt(K)
  float read_eps;
  CallType gamma_q_type, gamma_k_type, sink_type, gate_type;

  const void* gamma_q;  ///< [HV, K], read `rmsnorm`
  const void* gamma_k;
  const void* sink;                  ///< [HV]
  const void* gate;                  ///< [HV], before the sigmoid
  std::int64_t blocks;               ///< NB, without cu_seqlens ceil(T / C)
  const std::int64_t* first_blocks;  ///< N, with cu_seqlens; null: n NB
  float* scores;                     ///< [B, T, HV]
  std::int32_t* selected;            ///< [B, NB, HV, w], scores descending, -1 behind; decoding: [N, HV, w]
  std::int32_t* refused;             ///< [N, HV]: the first token without a right score, -1: none
  float* key_factors;                ///< [B, T, H]
  float* cache_o;                    ///< [B, T, HV, V], the read before the gate; null: not wanted
  CacheSlots cache;                  ///< decoding
};

/// A kernel around the cache, as a library exports it: `scores`, `select`, `cache_read`, the layer `hola`, and for
/// decoding `hola_decode` (one token of every sequence) and `hola_fill` (from a prefill's end to decoding).
struct HolaEntry {
  const char* name;
  std::size_t (*workspace_bytes)(const HolaCall& call);  ///< of `state.workspace`
  /// As that of KernelEntry. A score that is NaN or negative is refused: token, value head and sequence are named.
  int (*run)(const HolaCall& call, void* stream, char* error, std::size_t capacity);
  const char* launch;
};

}  // namespace deltaproof
