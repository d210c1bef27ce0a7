#pragma once

#include "kernels/cache_common.cuh"

/// The order of the cache: scores descending, of equal ones the earlier token first.
namespace deltaproof {

/// Ascending keys are that order. A score that is NaN or negative comes before all others.
__device__ inline std::uint64_t cache_key(float score, std::int32_t token) {
  const float positive = score + 0.0f;  // -0 is 0
  const std::uint32_t order = positive >= 0 ? ~__float_as_uint(positive) : 0u;
  return std::uint64_t{order} << 32 | static_cast<std::uint32_t>(token);
}
constexpr std::uint64_t no_key = ~std::uint64_t{0};  ///< behind all others

__device__ inline std::int32_t token_of(std::uint64_t key) { return static_cast<std::int32_t>(key & 0xffffffffu); }
__device__ inline bool is_refused(std::uint64_t key) { return key >> 32 == 0; }

/// Places of a sort: a power of two of at least w + C, and 2.
__host__ __device__ inline int sort_size(const HolaCall& hola) {
  int size = 2;
  while (size < hola.w + hola.C) size *= 2;
  return size;
}

constexpr std::size_t key_bytes(int size) { return sizeof(std::uint64_t) * static_cast<std::size_t>(size); }

/// Sorts `size` keys in shared memory by a block, `slots` with them if there are any. Bitonic: in a
/// run of `run` keys neighbours at falling distances change places. Barriers before and after.
__device__ inline void sort_keys(std::uint64_t* keys, std::int32_t* slots, int size) {
  for (int run = 2; run <= size; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (int e = static_cast<int>(threadIdx.x); e < size / 2; e += cache_threads) {
        const int low = e / distance * 2 * distance + e % distance, high = low + distance;
        const bool ascending = (low & run) == 0;
        const std::uint64_t first = keys[low], second = keys[high];
        if ((first > second) != ascending) continue;
        keys[low] = second, keys[high] = first;
        if (slots == nullptr) continue;
        const std::int32_t slot = slots[low];
        slots[low] = slots[high], slots[high] = slot;
      }
    }
  }
  __syncthreads();
}

}  // namespace deltaproof
