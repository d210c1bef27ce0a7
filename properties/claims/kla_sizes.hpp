#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "properties/claims/claim.hpp"

namespace deltaproof::claims {

/// A layer's shape, for statements about what it costs.
struct LayerSize {
  std::int64_t dk, dv, tokens;
};
using SizeFormula = std::function<std::int64_t(const LayerSize&)>;

/// Every one of at most 4 x 4 x 4.
inline std::vector<LayerSize> layer_sizes() {
  std::vector<LayerSize> all;
  for (std::int64_t dk = 1; dk <= 4; ++dk) {
    for (std::int64_t dv = 1; dv <= 4; ++dv) {
      for (std::int64_t tokens = 1; tokens <= 4; ++tokens) all.push_back({dk, dv, tokens});
    }
  }
  return all;
}

inline std::vector<Named> size_inputs(const LayerSize& size) {
  return {{"dk", std::to_string(size.dk)}, {"dv", std::to_string(size.dv)}, {"tokens", std::to_string(size.tokens)}};
}

}  // namespace deltaproof::claims
