#include "properties/golden/second_cache.hpp"

#include <algorithm>
#include <cmath>

#include "properties/golden/certain_best.hpp"
#include "properties/golden/streaming.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof::golden {
namespace {

Interval square(const Interval& x) {
  using std::abs;
  const Interval size = abs(x);  // an interval round zero has no square below it
  return size * size;
}

// |x y^T| over all elements, Frobenius.
Interval outer_norm(const Interval* x, Index rows, const Interval* y, Index columns) {
  using std::sqrt;
  Interval sum(0);
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < columns; ++c) sum += square(Interval(x[i] * y[c]));
  return sqrt(sum);
}

/// e_t = v_t - gamma_t S0^T k_t - sum_{j < t} (gamma_t / gamma_j) (k_t . k_j) u_j, the whole sequence as one chunk.
std::vector<Interval> residuals(const HeadInputs& head, const Steps<Interval>& steps, const std::vector<Interval>& u) {
  using namespace chunk_detail;
  const Chunk<Interval> whole = make_chunk(steps, log_gates<Interval>(head), 0, head.tokens);
  const std::vector<Interval> gram = decayed_gram(whole, false), S0 = elements<Interval>(head.initial_state);
  std::vector<Interval> e;
  for (Index t = 0; t < head.tokens; ++t) {
    const std::vector<Interval> start = from_start(whole, whole.k(t), t, S0);
    for (Index c = 0; c < head.V; ++c) {
      Interval x = whole.v(t)[c] - start[static_cast<std::size_t>(c)];
      for (Index j = 0; j < t; ++j)
        x -= gram[static_cast<std::size_t>(t * head.tokens + j)] * u[static_cast<std::size_t>(j * head.V + c)];
      e.push_back(x);
    }
  }
  return e;
}

/// Scores that are fixed when a token is written, as norms of what it writes (docs/semantics.md, hola).
std::vector<Interval> fixed_scores(const HeadInputs& head, const std::vector<Interval>& u) {
  const HeadInputs state = head.state_part();
  const Steps<Interval> steps = make_steps<Interval>(state);
  const CacheScore score = head.options.hola.score;
  const std::vector<Interval> e = score == CacheScore::e ? residuals(state, steps, u) : std::vector<Interval>();
  const Interval one(1);
  std::vector<Interval> scores;
  for (Index t = 0; t < head.tokens; ++t) {
    const Interval *u_t = u.data() + t * head.V, *k_t = steps.k.data() + t * head.K,
                   *v_t = steps.v.data() + t * head.V;
    switch (score) {
      case CacheScore::beta_e:
        scores.push_back(outer_norm(&one, 1, u_t, head.V));
        break;
      case CacheScore::e:
        scores.push_back(outer_norm(&one, 1, e.data() + t * head.V, head.V));
        break;
      case CacheScore::write_norm:
        scores.push_back(outer_norm(k_t, head.K, u_t, head.V));
        break;
      case CacheScore::beta_v:
        scores.push_back(outer_norm(&steps.b[static_cast<std::size_t>(t)], 1, v_t, head.V));
        break;
      case CacheScore::recency:
        scores.push_back(Interval(static_cast<double>(t)));
        break;
      case CacheScore::attention:
        throw std::logic_error("the score 'attention' is not fixed when a token is written");
    }
  }
  return scores;
}

/// Reads of the cache: logits from the rows as stored, norms divided out of the product.
class Reads {
 public:
  explicit Reads(const HeadInputs& head)
      : head_(head), q_(elements<Interval>(head.q)), k_(elements<Interval>(head.k)), v_(elements<Interval>(head.v)) {
    using std::exp;
    const bool flat = head.options.hola.read == CacheRead::l2;
    // RMSNorm: x / sqrt(mean(x^2) + eps) = sqrt(K) x / sqrt(sum x^2 + K eps), in both rows.
    const Interval K(static_cast<double>(head.K));
    eps_ = flat ? Interval(head.options.qk_l2norm_eps) : Interval(head.options.hola.read_eps) * K;
    const Interval tau(head.options.hola.tau);
    using std::sqrt;
    scale_ = flat ? Interval(tau / sqrt(K)) : Interval(tau * sqrt(K));
    if (!flat) gamma_ = elements<Interval>(Matrix(head.gamma_q));
    if (!flat) {
      const std::vector<Interval> of_k = elements<Interval>(Matrix(head.gamma_k));
      for (std::size_t i = 0; i < gamma_.size(); ++i) gamma_[i] *= of_k[i];
    }
    gate_ = head.cache_gate >= 0 ? Interval(Interval(1) - Interval(1) / (Interval(1) + exp(Interval(head.cache_gate))))
                                 : Interval(Interval(1) / (Interval(1) + exp(Interval(-head.cache_gate))));
    q_norm_ = norms(q_);
    k_norm_ = norms(k_);
  }

  /// Adds the gated read of query t, which sees `entries`, to its V outputs; `weight` is told each entry's.
  template <class Weight>
  void read(Index t, const std::vector<Index>& entries, Interval* o, Weight&& weight) const {
    Streaming sums(head_.V, head_.sink);
    std::vector<Interval> logits;
    for (const Index j : entries) {
      logits.push_back(logit(t, j));
      sums.add(logits.back(), v_.data() + j * head_.V);
    }
    for (Index c = 0; c < head_.V; ++c) o[c] += gate_ * sums.value(static_cast<std::size_t>(c));
    for (std::size_t j = 0; j < entries.size(); ++j) weight(entries[j], sums.weight(logits[j]));
  }

 private:
  std::vector<Interval> norms(const std::vector<Interval>& rows) const {
    using std::sqrt;
    std::vector<Interval> result;
    for (Index t = 0; t < head_.tokens; ++t)
      result.push_back(sqrt(square_sum(rows.data() + t * head_.K, head_.K) + eps_));
    return result;
  }

  Interval logit(Index t, Index j) const {
    Interval sum(0);
    for (Index i = 0; i < head_.K; ++i) {
      Interval product = q_[static_cast<std::size_t>(t * head_.K + i)] * k_[static_cast<std::size_t>(j * head_.K + i)];
      if (!gamma_.empty()) product *= gamma_[static_cast<std::size_t>(i)];
      sum += product;
    }
    return sum * scale_ / (q_norm_[static_cast<std::size_t>(t)] * k_norm_[static_cast<std::size_t>(j)]);
  }

  const HeadInputs& head_;
  std::vector<Interval> q_, k_, v_, gamma_, q_norm_, k_norm_;
  Interval eps_, scale_, gate_;
};

/// Tokens that the queries of a block see: its set, then the block's own up to the query.
std::vector<Index> visible(const std::vector<Index>& set, Index begin, Index query) {
  std::vector<Index> entries = set;
  for (Index t = begin; t <= query; ++t) entries.push_back(t);
  return entries;
}

std::vector<Index> all_before(Index end) {
  std::vector<Index> tokens;
  for (Index t = 0; t < end; ++t) tokens.push_back(t);
  return tokens;
}

}  // namespace

void add_cache(const HeadInputs& head, const ChunkForm<Interval>& chunks, HeadIntervals& result) {
  const HolaOptions& options = head.options.hola;
  const bool attention = options.score == CacheScore::attention;
  const Reads reads(head);
  if (attention) result.scores.assign(static_cast<std::size_t>(head.tokens), Interval(0));
  else result.scores = fixed_scores(head, chunks.u);
  std::vector<Index> candidates;  // for the next set
  for (Index begin = 0; begin < head.tokens; begin += options.cache_block) {
    // A score that is fixed ranks all earlier tokens at once; a weight ranks those that the last block saw.
    const auto set = certain_best(result.scores, attention ? candidates : all_before(begin), options.cache_size);
    result.certain = set.has_value();
    if (!set) return;
    result.sets.push_back(*set);
    const Index end = std::min(begin + options.cache_block, head.tokens);
    for (Index t = begin; t < end; ++t)
      reads.read(t, visible(*set, begin, t), result.o.data() + t * head.V, [&](Index j, const Interval& weight) {
        if (attention) result.scores[static_cast<std::size_t>(j)] += weight;
      });
    candidates = visible(*set, begin, end - 1);
  }
}

}  // namespace deltaproof::golden
