#pragma once

#include "tests/reference/bounds/simulated/chunk_kernel.hpp"

namespace deltaproof::simulated {

/// A token recurrence in fp32.
struct TokenKernel {
  enum class Order { ascending, descending, pairwise } order = Order::ascending;
  bool fused = true;        ///< fused multiply-adds, in the dots and in the write
  bool from_value = false;  ///< v - k . S as one chain that starts at v
  Exponential exponential = {};
};

/// A run of tokens from `slice.initial_state`.
ChunkOutput run_tokens(const TokenKernel& kernel, const HeadInputs& slice);

}  // namespace deltaproof::simulated
