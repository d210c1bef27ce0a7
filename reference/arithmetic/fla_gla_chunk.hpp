#pragma once

#include "reference/arithmetic/channel_decay.hpp"

namespace deltaproof {

/// flash-linear-attention's chunked linear attention with a decay for each key channel (GLA; docs/arithmetic.md,
/// 'GLA'). The scores are in fp32 until they meet the values: between blocks of 16 tokens from decayed rows, q
/// scaled before the product; inside a block as sum_c (q_ic k_jc) 2^(G_ic - G_jc), scaled after it.
template <Reading R>
TextOutput<R> fla_gla_chunk(const R& r, const TextInput<R>& in) {
  using Block = typename R::Block;
  const Index C = in.k.rows();
  const ChannelDecay<R> e = channel_decay(r, in.g);

  Block scores = blocks_below_diagonal(r, in.q, in.k, e.G, Product::scores,
                                       [&](const Block& x) { return r.times(x, in.scale); });
  for (Index j = 0; j < C; ++j) {
    const Block products = r.times(rows_of(r, in.q, j, rest_of_block(j, C)), rows_of(r, in.k, j, 1));
    r.place(scores, j, j, r.times(r.channel_sum(products, decay_from(r, e.G, j)), in.scale));
  }
  const Block P = r.round(scores, Point::P);
  return {channel_decay_output(r, in, e, P, in.v), channel_decay_state(r, in, e, in.v)};
}

}  // namespace deltaproof
