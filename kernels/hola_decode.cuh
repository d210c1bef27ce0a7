#pragma once

#include "kernels/cache_read.cuh"
#include "kernels/cache_scores.cuh"
#include "kernels/cache_sort.cuh"

namespace deltaproof {

/// The cache of decoding of one sequence and value head.
template <class E>
struct DecodeCache {
  const HolaCall& hola;
  std::int64_t n, head;
  SequencePlace sequence;
  std::int64_t at;     ///< [P, HV]
  std::int64_t slots;  ///< of slot 0 in [P, HV, w + C]

  __device__ DecodeCache(const HolaCall& of, std::int64_t item)
      : hola(of), n(item / of.state.HV), head(item % of.state.HV), sequence(sequence_place(of.state, n)) {
    at = sequence.state_row * hola.state.HV + head;
    slots = at * (hola.w + hola.C);
  }
  /// False: the sequence is skipped, or has no token in this call.
  __device__ bool any() const { return sequence.state_row >= 0 && sequence.length > 0; }

  __device__ E* key(std::int32_t slot) const { return static_cast<E*>(hola.cache.k) + (slots + slot) * hola.state.K; }
  __device__ E* value(std::int32_t slot) const { return static_cast<E*>(hola.cache.v) + (slots + slot) * hola.state.V; }
  __device__ std::int32_t* slot_of() const { return hola.cache.slot_of + slots; }

  /// Token `t`, which lies in row `row` of the B T tokens, into a slot, by a warp.
  __device__ void put(std::int32_t slot, std::int64_t row, std::int64_t t, float score) const {
    const E* k = key_row<E>(hola.state, hola.state.k, row, head);
    const E* v = value_row<E>(hola.state, row, head);
    for (int i = warp_lane(); i < hola.state.K; i += warp_size) key(slot)[i] = k[i];
    for (int i = warp_lane(); i < hola.state.V; i += warp_size) value(slot)[i] = v[i];
    const float factor = row_factor(hola, k);
    if (warp_lane() > 0) return;
    hola.cache.scores[slots + slot] = score;
    hola.cache.factors[slots + slot] = factor;
    hola.cache.tokens[slots + slot] = static_cast<std::int32_t>(t);
  }

  /// Behind `length` tokens, by a block: at the end of a block of tokens the places are sorted; no
  /// entry moves.
  __device__ void close(std::int64_t length, unsigned char* shared, int size) const {
    if (length % hola.C != 0) return;
    std::uint64_t* keys = reinterpret_cast<std::uint64_t*>(shared);
    std::int32_t* order = reinterpret_cast<std::int32_t*>(keys + size);
    const int count = kept_entries(hola, length - hola.C) + hola.C;
    for (int i = static_cast<int>(threadIdx.x); i < size; i += cache_threads) {
      keys[i] = no_key, order[i] = -1;
      if (i >= count) continue;
      order[i] = slot_of()[i];
      keys[i] = cache_key(hola.cache.scores[slots + order[i]], hola.cache.tokens[slots + order[i]]);
    }
    sort_keys(keys, order, size);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += cache_threads) slot_of()[i] = order[i];
  }
};

/// Keys and slots.
constexpr std::size_t sort_bytes(int size) {
  return key_bytes(size) + sizeof(std::int32_t) * static_cast<std::size_t>(size);
}

/// The token's score, and the token into the first free place. Warps: sequences x value heads.
template <class E>
__global__ void __launch_bounds__(cache_threads) decode_write(HolaCall hola) {
  const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * cache_warps + warp_number();
  if (item >= hola.state.N * hola.state.HV) return;
  const DecodeCache<E> cache(hola, item);
  if (warp_lane() == 0) hola.refused[item] = -1;
  if (!cache.any()) return;
  const std::int64_t t = hola.cache.length[cache.at], row = cache.sequence.first;
  const int inside = static_cast<int>(t % hola.C), kept = kept_entries(hola, t - inside);
  if (inside == 0) {
    for (int i = warp_lane(); i < hola.w; i += warp_size) {
      const std::int32_t slot = cache.slot_of()[i];
      hola.selected[item * hola.w + i] = i < kept ? hola.cache.tokens[cache.slots + slot] : -1;
    }
  }
  const float score = token_score<E>(hola, row, cache.head, t);
  cache.put(cache.slot_of()[kept + inside], row, t, score);
  if (warp_lane() > 0) return;
  hola.scores[row * hola.state.HV + cache.head] = score;
  if (!(score >= 0)) hola.refused[item] = static_cast<std::int32_t>(t);
}

/// The read of the token, itself the last entry. Warps: sequences x value heads.
template <class E>
__global__ void __launch_bounds__(cache_threads) decode_read(HolaCall hola) {
  const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * cache_warps + warp_number();
  if (item >= hola.state.N * hola.state.HV) return;
  const DecodeCache<E> cache(hola, item);
  if (!cache.any()) return;
  const std::int64_t t = hola.cache.length[cache.at], row = cache.sequence.first;
  const int inside = static_cast<int>(t % hola.C), kept = kept_entries(hola, t - inside);
  CacheQuery<E> query(hola, key_row<E>(hola.state, hola.state.q, row, cache.head), cache.head);
  const int entries = hola.read_block ? kept + inside + 1 : kept;
  for (int i = 0; i < entries; ++i) {
    const std::int32_t slot = cache.slot_of()[i];
    query.add(cache.key(slot), cache.value(slot), hola.cache.factors[cache.slots + slot]);
  }
  query.write(hola, row, cache.head);
}

/// The token counts; the block of tokens that it may end is merged. Blocks: sequences x value
/// heads.
template <class E>
__global__ void __launch_bounds__(cache_threads) decode_close(HolaCall hola, int size) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  const DecodeCache<E> cache(hola, blockIdx.x);
  if (!cache.any()) return;
  const std::int64_t length = std::int64_t{hola.cache.length[cache.at]} + 1;
  __syncthreads();  // all have read it
  if (threadIdx.x == 0) hola.cache.length[cache.at] = static_cast<std::int32_t>(length);
  cache.close(length, shared_bytes, size);
}

/// The cache behind a prefill: what its last block saw, that block's tokens, and their merge if the
/// block is full. Blocks: sequences x value heads.
template <class E>
__global__ void __launch_bounds__(cache_threads) hola_fill(HolaCall hola, int size) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  const DecodeCache<E> cache(hola, blockIdx.x);
  if (cache.sequence.state_row < 0) return;
  const std::int64_t length = cache.sequence.length;
  for (int i = static_cast<int>(threadIdx.x); i < hola.w + hola.C; i += cache_threads) cache.slot_of()[i] = i;
  if (threadIdx.x == 0) hola.cache.length[cache.at] = static_cast<std::int32_t>(length);
  if (length == 0) return;
  const std::int64_t block = (length - 1) / hola.C, begin = block * hola.C;
  const int kept = kept_entries(hola, begin), count = kept + static_cast<int>(length - begin);
  const std::int32_t* row = hola.selected + (selected_row(hola, cache.n, block) * hola.state.HV + cache.head) * hola.w;
  for (int i = warp_number(); i < count; i += cache_warps) {
    const std::int64_t t = i < kept ? row[i] : begin + (i - kept), at = cache.sequence.first + t;
    cache.put(i, at, t, hola.scores[at * hola.state.HV + cache.head]);
  }
  __syncthreads();
  cache.close(length, shared_bytes, size);
}

}  // namespace deltaproof
