#pragma once

#include "reference/arithmetic/chunk_parts.hpp"

namespace deltaproof {

/// flash-linear-attention's chunked linear attention with a scalar decay (simple GLA, Mamba-2) or none: as
/// fla-chunk (docs/arithmetic.md, 1) with the values themselves in the place of v_new; there is no beta.
template <Reading R>
TextOutput<R> fla_simple_gla_chunk(const R& r, const TextInput<R>& in) {
  using Block = typename R::Block;
  const Index C = in.k.rows(), V = in.v.cols();
  const ScalarDecay<R> e = scalar_decay(r, in.g);
  const Block keys = r.transpose(in.k);

  const Block S = r.round(in.state, Point::state_copy);
  const Block v_scaled = r.round(r.times(in.v, e.to_end), Point::v_scaled);

  const Block scores = r.mma(r.zero(C, C), in.q, keys, Product::scores);
  const Block P = r.round(r.lower(r.times(scores, e.between)), Point::P);
  const Block from_state = r.times(r.mma(r.zero(C, V), in.q, S, Product::q_state), e.from_start);
  const Block from_chunk = r.mma(r.zero(C, V), P, in.v, Product::p_v);
  return {r.round(r.scaled_sum(from_state, from_chunk, in.scale), Point::o),
          next_state(r, in.state, e.whole, keys, v_scaled)};
}

}  // namespace deltaproof
