#pragma once

#include <algorithm>

#include "reference/arithmetic/reading.hpp"

namespace deltaproof {

/// Ratios of decays in a chunk, G the prefix sums of the log decays times log2 e.
template <class R>
struct ScalarDecay {
  typename R::Block between;     ///< C x C: 2^(G_i - G_j), zero above the diagonal
  typename R::Block from_start;  ///< C x 1: 2^G_i
  typename R::Block to_end;      ///< C x 1: 2^(G_last - G_i)
  typename R::Block whole;       ///< 1 x 1: 2^G_last
};

template <Reading R>
ScalarDecay<R> scalar_decay(const R& r, const typename R::Block& g) {
  using Block = typename R::Block;
  const Block G = r.times(r.scan(g), r.log2e());
  const Block last = r.part(G, G.rows() - 1, 0, 1, 1);
  return {r.lower(r.exp2(r.subtract(G, r.transpose(G)))), r.exp2(G), r.exp2(r.subtract(last, G)),
          r.exp2(last)};
}

/// Rows [i, i + 16) x columns [j, j + 16) of a matrix, as far as it goes.
template <Reading R>
typename R::Block tile(const R& r, const typename R::Block& a, Index i, Index j) {
  const Index n = 16;
  return r.part(a, i, j, std::min(n, a.rows() - i), std::min(n, a.cols() - j));
}

/// sum over blocks k of L_ik X_kj, k from j to i - 1, in the declared order; rows i, columns j.
template <Reading R>
typename R::Block merged_sum(const R& r, const typename R::Block& L, const typename R::Block& X, Index i,
                             Index j) {
  using Block = typename R::Block;
  const Declared& d = r.declared();
  const Index n = (i - j) / 16;  // number of terms
  const auto term = [&](Index number) {
    switch (d.merge_sum) {
      case MergeSum::descending: return j + 16 * (n - 1 - number);
      case MergeSum::rotated: return j + 16 * ((number + 1) % n);
      case MergeSum::ascending:
      case MergeSum::separate: break;
    }
    return j + 16 * number;
  };
  const Block none = r.zero(std::min<Index>(16, L.rows() - i), 16);
  Block sum = none;
  for (Index number = 0; number < n; ++number) {
    const Index k = term(number);
    if (d.merge_sum == MergeSum::separate) {
      const Block one = r.merge(none, tile(r, L, i, k), tile(r, X, k, j));
      sum = number == 0 ? one : r.add(sum, one);
    } else {
      sum = r.merge(sum, tile(r, L, i, k), tile(r, X, k, j));
    }
  }
  return sum;
}

/// (I + L)^{-1}: diagonal blocks of 16 by substitution, then X_ij = -X_ii (sum_k L_ik X_kj), distance by
/// distance; next to the diagonal as -(X_ii L_ij) X_jj. Or one substitution, if so declared.
template <Reading R>
typename R::Block unit_lower_inverse(const R& r, const typename R::Block& L) {
  using Block = typename R::Block;
  if (r.declared().inverse == Inverse::substitution) return r.inverse(L);
  const Index C = L.rows();
  Block X = r.zero(C, C);
  for (Index i = 0; i < C; i += 16) r.place(X, i, i, r.inverse(tile(r, L, i, i)));
  for (Index distance = 16; distance < C; distance += 16) {
    for (Index j = 0; j + distance < C; j += 16) {
      const Index i = j + distance;
      const Block Xii = tile(r, X, i, i);
      const Block none = r.zero(Xii.rows(), 16);
      const Block product = distance == 16
                                ? r.merge(none, r.merge(none, Xii, tile(r, L, i, j)), tile(r, X, j, j))
                                : r.merge(none, Xii, merged_sum(r, L, X, i, j));
      r.place(X, i, j, r.negate(product));
    }
  }
  return X;
}

/// S 2^G_last + k^T v_scaled, as declared (Declared::state_sum). `decay`: 1 x 1, or K x 1.
template <Reading R>
typename R::Block next_state(const R& r, const typename R::Block& S, const typename R::Block& decay,
                             const typename R::Block& keys, const typename R::Block& v_scaled) {
  using Block = typename R::Block;
  const StateSum sum = r.declared().state_sum;
  if (sum == StateSum::accumulator) return r.mma(r.times(S, decay), keys, v_scaled, Product::state);
  const Block update = r.mma(r.zero(S.rows(), S.cols()), keys, v_scaled, Product::state);
  return sum == StateSum::fused ? r.fma(S, decay, update) : r.add(r.times(S, decay), update);
}

}  // namespace deltaproof
