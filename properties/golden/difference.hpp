#pragma once

#include <cstdint>
#include <string>

#include "reference/problem/safetensors.hpp"

namespace deltaproof::golden {

struct Difference {
  std::string text;           ///< empty: bit for bit the same
  std::int64_t compared = 0;  ///< numbers
};

/// Where tensors differ from what they should be, by name, type, shape and bits: the first place, with both values, and
/// how many there are.
Difference difference_of(const TensorMap& actual, const TensorMap& wanted);

}  // namespace deltaproof::golden
