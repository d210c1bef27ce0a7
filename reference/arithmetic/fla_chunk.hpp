#pragma once

#include "reference/arithmetic/chunk_parts.hpp"

namespace deltaproof {

/// flash-linear-attention's chunked (gated) delta rule (docs/arithmetic.md, 1): T = (I + L)^{-1} from 16 x 16
/// blocks, u = T (b v), w = T (b k e^G), v_new = u - w S.
template <Reading R>
TextOutput<R> fla_chunk(const R& r, const TextInput<R>& in) {
  using Block = typename R::Block;
  const Declared& d = r.declared();
  const Index C = in.k.rows(), K = in.k.cols(), V = in.v.cols();
  const ScalarDecay<R> e = scalar_decay(r, in.g);
  const Block keys = r.transpose(in.k);

  const Block gram = r.mma(r.zero(C, C), in.k, keys, Product::gram);
  const Block L = r.strictly_lower(r.times(r.times(gram, e.between), in.beta));
  const Block T = r.round(unit_lower_inverse(r, L), Point::T);
  const Block v_beta = r.round(r.times(in.v, in.beta), Point::v_beta);
  const Block k_beta = r.round(r.times(in.k, in.beta), Point::k_beta);
  const Block k_beta_decayed = r.round(r.times(k_beta, e.from_start), Point::k_beta_decayed);
  const Block u = r.round(r.mma(r.zero(C, V), T, v_beta, Product::u), Point::u);
  const Block w = r.round(r.mma(r.zero(C, K), T, k_beta_decayed, Product::w), Point::w);

  const Block S = r.round(in.state, Point::state_copy);
  const Block v_full = r.subtract(u, r.mma(r.zero(C, V), w, S, Product::w_state));
  const Block v_new = r.round(v_full, Point::v_new);
  const Block& scaled_from = d.v_scaled_from == ScaledFrom::rounded ? v_new : v_full;
  const Block v_scaled = r.round(r.times(scaled_from, e.to_end), Point::v_scaled);

  const Block scores = r.mma(r.zero(C, C), in.q, keys, Product::scores);
  const Block P = r.round(r.lower(r.times(scores, e.between)), Point::P);
  const Block from_state = r.times(r.mma(r.zero(C, V), in.q, S, Product::q_state), e.from_start);
  const Block from_chunk = r.mma(r.zero(C, V), P, v_new, Product::p_v);
  return {r.round(r.scaled_sum(from_state, from_chunk, in.scale), Point::o),
          next_state(r, in.state, e.whole, keys, v_scaled), v_full};
}

}  // namespace deltaproof
