#pragma once

#include <algorithm>

#include "reference/arithmetic/chunk_parts.hpp"

namespace deltaproof {

/// Ratios of decays in a chunk with a decay for each key channel, G the prefix sums of the log decays times log2 e.
template <class R>
struct ChannelDecay {
  typename R::Block G;           ///< C x K
  typename R::Block from_start;  ///< C x K: 2^G_i
  typename R::Block to_end;      ///< C x K: 2^(G_last - G_i)
  typename R::Block whole;       ///< K x 1: 2^G_last
};

template <Reading R>
ChannelDecay<R> channel_decay(const R& r, const typename R::Block& g) {
  using Block = typename R::Block;
  const Block G = r.times(r.scan(g), r.log2e());
  const Block last = r.part(G, G.rows() - 1, 0, 1, G.cols());
  return {G, r.exp2(G), r.exp2(r.subtract(last, G)), r.exp2(r.transpose(last))};
}

template <Reading R>
typename R::Block rows_of(const R& r, const typename R::Block& a, Index begin, Index count) {
  return r.part(a, begin, 0, count, a.cols());
}

/// Rows that the tokens of a chunk have from `begin` to the end of its block of 16.
inline Index rest_of_block(Index begin, Index tokens) { return std::min(begin / 16 * 16 + 16, tokens) - begin; }

/// sum_c x_ic k_jc 2^(G_ic - G_jc) for j in a block of 16 tokens before i's, zero elsewhere (C x C): a product of
/// x_i 2^(G_i - G_n), which goes through `finish` first, and k_j 2^(G_n - G_j), n the first token of i's block. As
/// G falls, no factor of k_j is above 1.
template <Reading R, class Finish>
typename R::Block blocks_below_diagonal(const R& r, const typename R::Block& x, const typename R::Block& k,
                                        const typename R::Block& G, Product product, Finish finish) {
  using Block = typename R::Block;
  const Index C = x.rows();
  Block result = r.zero(C, C);
  for (Index n = 16; n < C; n += 16) {
    const Index count = rest_of_block(n, C);
    const Block reference = rows_of(r, G, n, 1);
    const Block later = r.exp2(r.subtract(rows_of(r, G, n, count), reference));
    const Block earlier = r.exp2(r.subtract(reference, rows_of(r, G, 0, n)));
    const Block left = r.round(finish(r.times(rows_of(r, x, n, count), later)), Point::x_decayed);
    const Block right = r.round(r.times(rows_of(r, k, 0, n), earlier), Point::x_decayed);
    r.place(result, n, 0, r.mma(r.zero(count, n), left, r.transpose(right), product));
  }
  return result;
}

/// 2^(G_i - G_j) for i from j to the end of j's block (rows x K).
template <Reading R>
typename R::Block decay_from(const R& r, const typename R::Block& G, Index j) {
  return r.exp2(r.subtract(rows_of(r, G, j, rest_of_block(j, G.rows())), rows_of(r, G, j, 1)));
}

/// P x + scale (q 2^G) S, rounded as the output; P C x C, x C x V.
template <Reading R>
typename R::Block channel_decay_output(const R& r, const TextInput<R>& in, const ChannelDecay<R>& e,
                                       const typename R::Block& P, const typename R::Block& x) {
  using Block = typename R::Block;
  const Block none = r.zero(x.rows(), x.cols());
  const Block S = r.round(in.state, Point::state_copy);
  const Block q = r.round(r.times(in.q, e.from_start), Point::q_scaled);
  const Block from_state = r.times(r.mma(none, q, S, Product::q_state), in.scale);
  const Block o = r.declared().chunk_sum == ChunkSum::accumulator
                      ? r.mma(from_state, P, x, Product::p_v)
                      : r.add(from_state, r.mma(none, P, x, Product::p_v));
  return r.round(o, Point::o);
}

/// 2^G_last S + (k 2^(G_last - G))^T x.
template <Reading R>
typename R::Block channel_decay_state(const R& r, const TextInput<R>& in, const ChannelDecay<R>& e,
                                      const typename R::Block& x) {
  const typename R::Block k = r.round(r.times(in.k, e.to_end), Point::k_scaled);
  return next_state(r, in.state, e.whole, r.transpose(k), x);
}

}  // namespace deltaproof
