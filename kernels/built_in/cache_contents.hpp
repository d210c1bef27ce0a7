#pragma once

#include <cstdint>
#include <vector>

#include "kernels/built_in/device.hpp"
#include "reference/problem/tensor.hpp"

namespace deltaproof {

/// The cache of decoding between two calls: what CacheSlots points to.
struct CacheContents {
  std::int64_t rows = 0, HV = 0, w = 0, C = 0;
  Tensor k, v, scores, factors, tokens, slot_of, length;

  /// Without entries: slots in ascending order, unused ones all 0.
  static CacheContents empty(std::int64_t rows, std::int64_t HV, std::int64_t w, std::int64_t C, Dtype input,
                             std::int64_t K, std::int64_t V);
  /// Copies it to the device's memory, to be updated in place.
  CacheSlots put(DeviceRun& run) const;
  void read(DeviceRun& run, const CacheSlots& slots);
};

/// One entry of it.
struct CacheEntry {
  std::int64_t token = 0;
  float score = 0, factor = 0;
  std::vector<std::byte> k, v;
  bool operator==(const CacheEntry&) const = default;
};

/// Entries of a row and head in the order in which they are read: the cache, then tokens of the
/// block under way.
std::vector<CacheEntry> entries_of(const CacheContents& cache, std::int64_t row, std::int64_t head);

}  // namespace deltaproof
