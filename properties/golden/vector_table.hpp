#pragma once

#include <span>
#include <string_view>

namespace deltaproof::golden {

/// A vector that is drawn: its file is vectors/answers/NAME.safetensors.
struct DrawnVector {
  std::string_view name;
  std::string_view spec;  ///< text of the problem (properties/runs/problem_spec.hpp)
  std::string_view what;  ///< a sentence: what it is for
};

std::span<const DrawnVector> drawn_vectors();

}  // namespace deltaproof::golden
