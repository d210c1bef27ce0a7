#pragma once

#include <span>
#include <string_view>

namespace deltaproof {

/// A built-in order of operations and roundings that a case may declare.
struct ArithmeticInfo {
  std::string_view name;
  std::string_view summary;
};

std::span<const ArithmeticInfo> arithmetic_table();
/// nullptr if the name is unknown.
const ArithmeticInfo* find_arithmetic(std::string_view name);

}  // namespace deltaproof
