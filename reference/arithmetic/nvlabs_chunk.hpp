#pragma once

#include "reference/arithmetic/chunk_parts.hpp"

namespace deltaproof {

/// The chunked gated delta rule of NVlabs and of the official KLA code (docs/arithmetic.md, 2). The Gram product
/// of rounded b k and k gives two inverses over the whole chunk: with decay for u = T (b v), without for
/// w = T (b k), which is decayed afterwards. The one recording is an o in bf16: it does not tell the order of the
/// substitution (`row_sum`), the sum of the state (`state_sum`), nor whether P v_new starts from q S e^G or is
/// added to it (`chunk_sum`).
template <Reading R>
TextOutput<R> nvlabs_chunk(const R& r, const TextInput<R>& in) {
  using Block = typename R::Block;
  const Index C = in.k.rows(), K = in.k.cols(), V = in.v.cols();
  const ScalarDecay<R> e = scalar_decay(r, in.g);
  const Block keys = r.transpose(in.k);

  const Block k_beta = r.round(r.times(in.k, in.beta), Point::k_beta);
  const Block v_beta = r.round(r.times(in.v, in.beta), Point::v_beta);
  const Block gram = r.mma(r.zero(C, C), k_beta, keys, Product::gram);
  const Block with_decay = r.inverse(r.strictly_lower(r.times(gram, e.between)));
  const Block without_decay = r.inverse(r.strictly_lower(gram));
  const Block u = r.round(r.mma(r.zero(C, V), r.round(with_decay, Point::T), v_beta, Product::u), Point::u);
  const Block w = r.round(r.mma(r.zero(C, K), r.round(without_decay, Point::T), k_beta, Product::w), Point::w);
  const Block w_decayed = r.round(r.times(w, e.from_start), Point::w_decayed);

  const Block S = r.round(in.state, Point::state_copy);
  const Block v_new =
      r.round(r.subtract(u, r.mma(r.zero(C, V), w_decayed, S, Product::w_state)), Point::v_new);

  const Block q = r.round(r.times(in.q, in.scale), Point::q_scaled);
  const Block scores = r.mma(r.zero(C, C), q, keys, Product::scores);
  const Block P = r.round(r.lower(r.times(scores, e.between)), Point::P);
  const Block from_state = r.times(r.mma(r.zero(C, V), q, S, Product::q_state), e.from_start);
  const Block o = r.declared().chunk_sum == ChunkSum::accumulator
                      ? r.mma(from_state, P, v_new, Product::p_v)
                      : r.add(from_state, r.mma(r.zero(C, V), P, v_new, Product::p_v));

  const Block k_scaled = r.round(r.times(in.k, e.to_end), Point::k_scaled);
  return {r.round(o, Point::o), next_state(r, in.state, e.whole, r.transpose(k_scaled), v_new)};
}

}  // namespace deltaproof
