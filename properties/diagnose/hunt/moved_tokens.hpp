#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "properties/diagnose/hunt/entry_move.hpp"

namespace deltaproof {

/// Tokens of a T axis of this length that a change is about, in order.
inline std::vector<std::int64_t> moved_tokens(const EntryMove& move, std::int64_t length) {
  if (length == 0) return {};
  std::vector<std::int64_t> tokens;
  for (std::int64_t t = move.first % length; t < length; t += std::max<std::int64_t>(move.stride, 1)) {
    tokens.push_back(t);
    if (move.stride == 0) break;
  }
  return tokens;
}

}  // namespace deltaproof
