#pragma once

#include <span>
#include <string_view>

#include "fuzz/finding.hpp"

namespace deltaproof::fuzz {

/// Something that takes any bytes. It ends within seconds, and throws where the product is wrong.
struct Target {
  std::string_view name;  ///< also of its folders of inputs: fuzz/corpus/NAME, fuzz/regressions/NAME
  void (*check)(Bytes);
};

std::span<const Target> targets();
/// nullptr if the name is unknown.
const Target* find_target(std::string_view name);

}  // namespace deltaproof::fuzz
