#pragma once

#include "reference/arithmetic/channel_decay.hpp"

namespace deltaproof {

/// flash-linear-attention's chunked delta rule with a decay for each key channel (KDA; docs/arithmetic.md, 'KDA'):
/// L = b k k^T and P = scale q k^T, both decayed by channel, T = (I + L)^{-1} from 16 x 16 blocks, u = T (b v),
/// w = T ((b k) 2^G), v_new = u - w S. Inside a block of 16 tokens L and P are sums over channels of
/// w_jc = k_jc 2^(G_ic - G_jc) with b k_i and q_i.
template <Reading R>
TextOutput<R> fla_kda_chunk(const R& r, const TextInput<R>& in) {
  using Block = typename R::Block;
  const Index C = in.k.rows(), K = in.k.cols(), V = in.v.cols();
  const ChannelDecay<R> e = channel_decay(r, in.g);
  const auto as_it_is = [](const Block& x) { return x; };

  Block L = r.times(blocks_below_diagonal(r, in.k, in.k, e.G, Product::gram, as_it_is), in.beta);
  Block scores = r.times(blocks_below_diagonal(r, in.q, in.k, e.G, Product::scores, as_it_is), in.scale);
  const Block k_beta_f32 = r.times(in.k, in.beta);
  for (Index j = 0; j < C; ++j) {
    const Index count = rest_of_block(j, C);
    const Block k_decayed = r.times(rows_of(r, in.k, j, 1), decay_from(r, e.G, j));
    r.place(L, j, j, r.channel_sum(rows_of(r, k_beta_f32, j, count), k_decayed));
    r.place(scores, j, j, r.times(r.channel_sum(rows_of(r, in.q, j, count), k_decayed), in.scale));
  }
  const Block P = r.round(scores, Point::P);
  const Block T = r.round(unit_lower_inverse(r, r.strictly_lower(L)), Point::T);

  const Block v_beta = r.round(r.times(in.v, in.beta), Point::v_beta);
  const Block k_beta = r.round(k_beta_f32, Point::k_beta);
  const Block k_beta_decayed = r.round(r.times(k_beta, e.from_start), Point::k_beta_decayed);
  const Block u = r.round(r.mma(r.zero(C, V), T, v_beta, Product::u), Point::u);
  const Block w = r.round(r.mma(r.zero(C, K), T, k_beta_decayed, Product::w), Point::w);

  const Block S = r.round(in.state, Point::state_copy);
  const Block v_new = r.round(r.subtract(u, r.mma(r.zero(C, V), w, S, Product::w_state)), Point::v_new);
  return {channel_decay_output(r, in, e, P, v_new), channel_decay_state(r, in, e, v_new)};
}

}  // namespace deltaproof
