#pragma once

#include "properties/regimes/families.hpp"

namespace deltaproof::testing {

/// T 48, K 16, V 8, an initial state; C = 16.
inline RegimeShape small_shape() {
  return {.tokens = 48, .K = 16, .V = 8, .initial_state = true, .chunk = 16};
}

/// The head of a family under its usual rule.
inline HeadInputs head_of(std::string_view name, const RegimeShape& shape = small_shape(), std::uint64_t seed = 1) {
  const Regime& regime = *find_regime(name);
  return regime_head(regime, regime.rule, shape, seed);
}

/// Under another rule.
inline HeadInputs head_of(std::string_view name, Rule rule, const RegimeShape& shape = small_shape(),
                          std::uint64_t seed = 1) {
  return regime_head(*find_regime(name), rule, shape, seed);
}

inline constexpr Dtype input_types[] = {Dtype::bf16, Dtype::f16, Dtype::f32};

}  // namespace deltaproof::testing
