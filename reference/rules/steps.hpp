#pragma once

#include <vector>

#include "reference/problem/head.hpp"

namespace deltaproof {

/// The update family's coefficients in the scalar R, formed from the exact inputs:
///   S~ = D_t S_{t-1},  e_t = v_t - r S~^T k_t,  S_t = S~ + b_t k_t e_t^T,  o_t = scale S_t^T q_t.
/// R is double, an MPFR number or an MPFI interval; the text is the same.
template <class R>
struct Steps {
  Index tokens = 0, K = 0, V = 0;
  Decay decay = Decay::none;
  bool residual = true;    ///< r
  std::vector<R> q, k;     ///< tokens x K, normalised where the problem says so
  std::vector<R> v;        ///< tokens x V
  std::vector<R> alpha;    ///< empty, tokens, or tokens x K
  std::vector<R> b;        ///< tokens
  R scale{};
};

/// Throws InputError for a rule outside the update family.
template <class R>
Steps<R> make_steps(const HeadInputs& head);

}  // namespace deltaproof
