#pragma once

#include <vector>

#include "reference/rules/cache_read.hpp"
#include "reference/rules/cache_scores.hpp"

namespace deltaproof {

/// 1 / (1 + exp(-x)), in the form whose exponential cannot overflow.
template <Scalar R>
R sigmoid(double x) {
  using std::exp;
  if (x >= 0) return R(1) / (R(1) + exp(R(-x)));
  const R small = exp(R(x));
  return small / (R(1) + small);
}

/// A run of rule `hola` (HOLA paper, section 'Method'): a state of the update family, an exact cache of the w
/// highest-scoring tokens beside it, o_t = scale S_t^T q_t + sigmoid(gate) o_cache. Scores are compared as doubles.
template <Scalar R>
struct HolaLayer {
  std::vector<R> o;        ///< tokens x V
  std::vector<R> state_o;  ///< tokens x V: what the state alone gives
  std::vector<R> cache_o;  ///< tokens x V: the read of the cache, before the gate
  std::vector<R> state;    ///< K x V after the last token
  std::vector<R> scores;   ///< tokens
  CacheSets sets;
};

namespace hola_detail {

/// State and scores; the score `attention` is left to the read.
template <Scalar R>
void run_state(const HeadInputs& head, HolaLayer<R>& layer) {
  const Steps<R> steps = make_steps<R>(head.state_part());
  const CacheScore score = head.options.hola.score;
  ScoreObserver<R> observer(head.tokens, score);
  layer.state = elements<R>(head.initial_state);
  recurrence(steps, layer.state.data(), layer.state_o.data(), observer);
  if (score != CacheScore::attention) layer.scores = cache_scores(steps, observer, score);
}

template <Scalar R>
void run_cache(const HeadInputs& head, HolaLayer<R>& layer) {
  const auto ignore = [](const auto&...) {};
  const HolaOptions& options = head.options.hola;
  if (options.score == CacheScore::attention) {
    AttentionCache<R> cache;
    cache.run(head, layer.cache_o.data(), ignore, ignore);
    layer.sets = cache.sets;
    layer.scores = cache.scores;
    return;
  }
  std::vector<double> scores;
  for (const R& score : layer.scores) scores.push_back(to_double(score));
  layer.sets = blockwise_sets(scores, options.cache_size, options.cache_block);
  cache_read(head, layer.sets, layer.cache_o.data(), ignore);
}

}  // namespace hola_detail

/// Throws InputError if a tensor has the wrong shape, or for a score that is NaN.
template <Scalar R>
HolaLayer<R> hola_layer(const HeadInputs& head) {
  HolaLayer<R> layer;
  const auto size = static_cast<std::size_t>(head.tokens * head.V);
  for (std::vector<R>* o : {&layer.o, &layer.state_o, &layer.cache_o}) o->assign(size, R(0));
  hola_detail::run_state(head, layer);
  hola_detail::run_cache(head, layer);
  const R gate = sigmoid<R>(head.cache_gate);
  for (std::size_t i = 0; i < size; ++i) layer.o[i] = layer.state_o[i] + gate * layer.cache_o[i];
  return layer;
}

}  // namespace deltaproof
