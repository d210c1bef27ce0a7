#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/built_in/cache_stages.hpp"

namespace deltaproof {

/// Where a token of a batch of rows or of packed sequences lies.
struct StageToken {
  std::int64_t first, t,
      first_block;  ///< first row of its sequence, index in it, row of its first block
};
std::vector<StageToken> stage_tokens(const StageShape& shape, std::int64_t C);

/// Calls f(row, head, entries) for every query: `entries` are rows of what it sees, in the kernel's
/// order.
void for_queries(const ReadInput& input,
                 const std::function<void(std::int64_t, std::int64_t, const std::vector<std::int64_t>&)>& f);

/// Elements of a row of a tensor whose last axis has `size`.
std::vector<float> floats_of_row(const Tensor& tensor, std::int64_t row, std::int64_t size);
/// Row of q or k of a value head.
std::vector<float> key_row(const ReadInput& input, const Tensor& tensor, std::int64_t row, std::int64_t head);

}  // namespace deltaproof
