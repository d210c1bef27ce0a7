#pragma once

#include "reference/rules/scalar.hpp"

namespace deltaproof {

/// Write coefficient of the additive rules, which have no residual (r = 0) and write k v^T whole:
/// `linear` (linear attention), `scalar_decay` (Mamba-2 / SSD core, simple GLA), `vector_decay`
/// (GLA). Exact.
template <Scalar R>
R additive_coefficient() {
  return R(1);
}

}  // namespace deltaproof
