#pragma once

#include <string>

#include "properties/regimes/families.hpp"

namespace deltaproof {

/// Two rows of `tokens` tokens, two heads, K = V = 16, chunks of 16.
inline Problem small_problem(std::int64_t tokens = 40, Rule rule = Rule::gated_delta) {
  RegimeShape shape;
  shape.tokens = tokens, shape.K = 16, shape.V = 16, shape.B = 2, shape.H = 1, shape.HV = 2;
  const Problem drawn = regime_problem(*find_regime("typical"), rule, shape, 3);
  return Problem::make("small",
                       {{"format", "deltaproof.case/1"},
                        {"rule", std::string(rule_info(rule).name)},
                        {"chunk_size", "16"},
                        {"arithmetic", "fla-chunk"}},
                       drawn.tensors());
}

}  // namespace deltaproof
