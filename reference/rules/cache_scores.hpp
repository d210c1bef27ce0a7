#pragma once

#include <vector>

#include "reference/problem/input_error.hpp"
#include "reference/rules/recurrence.hpp"

namespace deltaproof {

/// |x|_2. The squares are of magnitudes, so that an interval round zero has none below it.
template <Scalar R>
R euclidean_norm(const R* x, Index count) {
  using std::abs;
  using std::sqrt;
  R sum(0);
  for (Index i = 0; i < count; ++i) {
    const R size = abs(x[i]);
    sum += size * size;
  }
  return sqrt(sum);
}

/// Watches a run of the state for what scores need of it: sum over value columns of (b e)^2, or of e^2. Columns of a
/// token come in ascending order, so it is a sum in order.
template <Scalar R>
class ScoreObserver {
 public:
  ScoreObserver(Index tokens, CacheScore score)
      : sums(static_cast<std::size_t>(tokens), R(0)), of_e_(score == CacheScore::e) {}

  void operator()(Index token, Index /*first*/, Index columns, const R* /*state*/, Index /*stride*/, const R* e,
                  const R* w) {
    using std::abs;
    R& sum = sums[static_cast<std::size_t>(token)];
    for (Index c = 0; c < columns; ++c) {
      const R size = abs(of_e_ ? e[c] : w[c]);
      sum += size * size;
    }
  }

  std::vector<R> sums;  ///< of each token

 private:
  bool of_e_;
};

/// What one token's score is made of.
template <Scalar R>
struct ScoreParts {
  R written{};        ///< |b e|, or |e| where the score is |e|
  R b{};              ///< write coefficient
  const R* k = nullptr;  ///< key as the state is written with
  const R* v = nullptr;
};

/// Score of token t, fixed when it is written (HOLA paper, Eq. 5, and its ablations); `attention` is not one of these.
template <Scalar R>
R cache_score(CacheScore score, const ScoreParts<R>& parts, Index t, Index K, Index V) {
  using std::abs;
  switch (score) {
    case CacheScore::beta_e:
    case CacheScore::e:
      return parts.written;
    case CacheScore::write_norm:
      return parts.written * euclidean_norm(parts.k, K);
    case CacheScore::beta_v:
      return abs(parts.b) * euclidean_norm(parts.v, V);
    case CacheScore::recency:
      return R(static_cast<double>(t));
    case CacheScore::attention:
      break;
  }
  throw InputError("the score 'attention' is not fixed when a token is written");
}

/// Scores of all tokens from a run of the state over `steps` that `observer` watched.
template <Scalar R>
std::vector<R> cache_scores(const Steps<R>& steps, const ScoreObserver<R>& observer, CacheScore score) {
  using std::sqrt;
  std::vector<R> scores;
  for (Index t = 0; t < steps.tokens; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const ScoreParts<R> parts{sqrt(observer.sums[at]), steps.b[at], steps.k.data() + t * steps.K,
                              steps.v.data() + t * steps.V};
    scores.push_back(cache_score(score, parts, t, steps.K, steps.V));
  }
  return scores;
}

}  // namespace deltaproof
