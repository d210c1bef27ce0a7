#pragma once

#include <vector>

#include "reference/problem/input_error.hpp"
#include "reference/rules/cache_sets.hpp"
#include "reference/rules/inputs.hpp"
#include "reference/rules/softmax.hpp"

namespace deltaproof {

/// Rows of q or k as the cache is read with them, from the ones handed in (HOLA paper, Eq. 7): gamma o x /
/// sqrt(mean(x^2) + read_eps), or, for the flat read, x / sqrt(sum x^2 + qk_l2norm_eps).
template <Scalar R>
std::vector<R> read_rows(const HeadInputs& head, const Matrix& rows, const Matrix& gamma) {
  using std::sqrt;
  const HolaOptions& options = head.options.hola;
  if (options.read == CacheRead::l2) return l2_normalised<R>(rows, head.options.qk_l2norm_eps);
  require_shape(gamma, 1, head.K, "gamma", "hola");
  std::vector<R> result = elements<R>(rows);
  const Index K = head.K;
  const std::vector<R> factors = elements<R>(gamma);
  for (Index t = 0; t < rows.rows(); ++t) {
    R* row = result.data() + t * K;
    const R mean = square_sum(row, K) / R(static_cast<double>(K));
    const R norm = sqrt(mean + R(options.read_eps));
    for (Index i = 0; i < K; ++i) row[i] = row[i] / norm * factors[static_cast<std::size_t>(i)];
  }
  return result;
}

/// tau / sqrt(K), which multiplies the logits.
template <Scalar R>
R logit_scale(const HeadInputs& head) {
  using std::sqrt;
  return R(head.options.hola.tau) / sqrt(R(static_cast<double>(head.K)));
}

/// sum x_i y_i; for double in the order of vector registers.
template <Scalar R>
R inner_product(const R* x, const R* y, Index count) {
  if constexpr (std::same_as<R, double>) {
    return Eigen::Map<const Vector>(x, count).dot(Eigen::Map<const Vector>(y, count));
  } else {
    R sum(0);
    for (Index i = 0; i < count; ++i) sum += x[i] * y[i];
    return sum;
  }
}

/// What the queries of one block read: first the cache, then the block's own tokens. Query i sees the first
/// `cached` + i + 1 entries.
template <Scalar R>
struct BlockView {
  Index begin = 0, count = 0, cached = 0;
  std::vector<Index> tokens;  ///< of the entries
  std::vector<R> q;           ///< count x K
  std::vector<R> k, v;        ///< entries x K, entries x V

  Index visible(Index query) const { return cached + query + 1; }
};

/// Throws InputError unless `set` is ascending, without a token twice, and all of it before token `begin`.
void require_cached(const std::vector<Index>& set, Index block, Index begin);

/// Rows `tokens` of `matrix`.
Matrix rows_of(const Matrix& matrix, const std::vector<Index>& tokens);

/// Block n of the head with A_n = `set`.
template <Scalar R>
BlockView<R> block_view(const HeadInputs& head, Index n, const std::vector<Index>& set) {
  BlockView<R> view;
  view.begin = n * head.options.hola.cache_block;
  view.count = std::min<Index>(head.options.hola.cache_block, head.tokens - view.begin);
  view.cached = static_cast<Index>(set.size());
  require_cached(set, n, view.begin);
  view.tokens = set;
  for (Index i = 0; i < view.count; ++i) view.tokens.push_back(view.begin + i);
  view.q = read_rows<R>(head, head.q.middleRows(view.begin, view.count), head.gamma_q);
  view.k = read_rows<R>(head, rows_of(head.k, view.tokens), head.gamma_k);
  view.v = elements<R>(rows_of(head.v, view.tokens));
  return view;
}

/// The reads of a block's queries (HOLA paper, Eq. 8): o is count x V, without the gate; nothing is visible to none of
/// them, but the null sink may take all. `observe(i, logits, weights)` after each query, in the order of the entries.
template <Scalar R, class Observe>
void read_block(const HeadInputs& head, const BlockView<R>& view, R* o, Observe&& observe) {
  const Index K = head.K, V = head.V;
  const R scale = logit_scale<R>(head);
  std::vector<R> logits, weights;
  for (Index i = 0; i < view.count; ++i) {
    logits.clear();
    for (Index j = 0; j < view.visible(i); ++j)
      logits.push_back(inner_product(view.q.data() + i * K, view.k.data() + j * K, K) * scale);
    weights = logits;
    softmax_in_place(weights, head.sink);
    weighted_rows(weights, view.v.data(), V, o + i * V);
    observe(i, logits, weights);
  }
}

/// Throws InputError unless the head has what the cache is read with.
void require_cache_inputs(const HeadInputs& head);

/// The reads of all queries, given A_n: `o` is tokens x V, without the gate. `observe(view, i, logits, weights)`.
template <Scalar R, class Observe>
void cache_read(const HeadInputs& head, const CacheSets& sets, R* o, Observe&& observe) {
  require_cache_inputs(head);
  const Index blocks = block_count(head.tokens, head.options.hola.cache_block);
  if (static_cast<Index>(sets.size()) != blocks)
    throw InputError("the cache is read with " + std::to_string(sets.size()) + " sets for " + std::to_string(blocks) +
                     " blocks");
  for (Index n = 0; n < blocks; ++n) {
    const BlockView<R> view = block_view<R>(head, n, sets[static_cast<std::size_t>(n)]);
    read_block(head, view, o + view.begin * head.V,
               [&](Index i, const std::vector<R>& z, const std::vector<R>& w) { observe(view, i, z, w); });
  }
}

/// The cache whose score is the weight that its entries got so far (`attention`), evaluated at the end of each block:
/// of A_n and block n the w highest make A_{n+1}. Scores are compared as doubles.
template <Scalar R>
struct AttentionCache {
  CacheSets sets;
  std::vector<R> scores;  ///< each token's as last evaluated

  /// The same with the reads of `cache_read`. `at_block_end(view, scores)` sees the scores before A_{n+1} is chosen.
  template <class Observe, class AtEnd>
  void run(const HeadInputs& head, R* o, Observe&& observe, AtEnd&& at_block_end) {
    require_cache_inputs(head);
    scores.assign(static_cast<std::size_t>(head.tokens), R(0));
    std::vector<Index> set;
    for (Index n = 0; n < block_count(head.tokens, head.options.hola.cache_block); ++n) {
      sets.push_back(set);
      const BlockView<R> view = block_view<R>(head, n, set);
      read_block(head, view, o + view.begin * head.V,
                 [&](Index i, const std::vector<R>& z, const std::vector<R>& w) {
                   for (std::size_t j = 0; j < w.size(); ++j) scores[static_cast<std::size_t>(view.tokens[j])] += w[j];
                   observe(view, i, z, w);
                 });
      at_block_end(view, scores);
      std::vector<Ranked> entries;
      for (const Index t : view.tokens) entries.push_back({to_double(scores[static_cast<std::size_t>(t)]), t});
      set = tokens_of(best_of(std::move(entries), head.options.hola.cache_size));
    }
  }
};

}  // namespace deltaproof
