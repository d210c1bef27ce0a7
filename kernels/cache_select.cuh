#pragma once

#include "kernels/cache_sort.cuh"

namespace deltaproof {

/// The cache of one value head of one sequence, block after block: what queries of a block see is
/// written down before the block's own tokens are merged, in shared memory, into the w places.
struct CacheSelection {
  const HolaCall& hola;
  std::uint64_t* keys;  ///< `size`: the w places, then a block's tokens
  int size;
  std::int64_t n, head;
  SequencePlace sequence;

  /// First token without a right score, or -1.
  __device__ std::int32_t run() const {
    for (int i = static_cast<int>(threadIdx.x); i < size; i += cache_threads) keys[i] = no_key;
    __syncthreads();
    std::int32_t refused = -1;
    for (std::int64_t block = 0; block * hola.C < sequence.length; ++block) {
      write_down(block, refused >= 0);
      if (refused >= 0) continue;
      load(block);
      sort_keys(keys, nullptr, size);
      if (is_refused(keys[0])) refused = token_of(keys[0]);
      __syncthreads();  // before keys are replaced
    }
    return refused;
  }

  /// Row of the block. After a refused score there are no sets: -2.
  __device__ void write_down(std::int64_t block, bool refused) const {
    std::int32_t* row = hola.selected + (selected_row(hola, n, block) * hola.state.HV + head) * hola.w;
    for (int i = static_cast<int>(threadIdx.x); i < hola.w; i += cache_threads) {
      row[i] = refused ? -2 : keys[i] == no_key ? -1 : token_of(keys[i]);
    }
  }

  /// The block's tokens behind the w places.
  __device__ void load(std::int64_t block) const {
    const std::int64_t begin = block * hola.C, left = sequence.length - begin;
    const int count = left < hola.C ? static_cast<int>(left) : hola.C;
    for (int i = static_cast<int>(threadIdx.x); i < size - hola.w; i += cache_threads) {
      const std::int64_t t = begin + i;
      const bool exists = i < count;
      keys[hola.w + i] =
          exists ? cache_key(hola.scores[(sequence.first + t) * hola.state.HV + head], static_cast<std::int32_t>(t))
                 : no_key;
    }
  }
};

}  // namespace deltaproof
