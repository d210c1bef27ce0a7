#pragma once

#include "reference/rules/scalar.hpp"

namespace deltaproof {

/// Write coefficient of `longhorn_exact`: b_t = beta_t / (1 + beta_t |k_t|^2).
///
/// S~ + b k (v - S~^T k)^T is the minimiser of |S - S~|_F^2 + beta |S^T k - v|^2: its gradient
/// (S - S~) + beta k (S^T k - v)^T vanishes for S = S~ + c k e^T with c = beta (1 - c |k|^2).
/// A mode of the KLA code, with or without decay. The published Longhorn is the diagonal
/// approximation of it (longhorn.hpp). Three roundings beyond those of |k|^2.
template <Scalar R>
R longhorn_exact_coefficient(double beta, const R& key_square) {
  return R(beta) / (R(1) + R(beta) * key_square);
}

}  // namespace deltaproof
