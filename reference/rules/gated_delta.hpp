#pragma once

#include "reference/rules/scalar.hpp"

namespace deltaproof {

/// Write coefficient of the delta rules, `delta` (DeltaNet), `gated_delta` (Gated DeltaNet) and
/// `vector_decay_delta` (KDA): b_t = beta_t as given; they differ in the decay alone. Exact.
template <Scalar R>
R gated_delta_coefficient(double beta) {
  return R(beta);
}

}  // namespace deltaproof
