#include <algorithm>

#include "properties/golden/certain_best.hpp"
#include "properties/golden/routes.hpp"
#include "reference/oracle/kept_states.hpp"
#include "reference/rules/gsa.hpp"
#include "reference/rules/hola.hpp"
#include "reference/rules/longhorn.hpp"

// The texts of reference/rules/ on intervals.

namespace deltaproof::golden {
namespace {

std::vector<Interval> zeros(Index count) { return std::vector<Interval>(static_cast<std::size_t>(count), Interval(0)); }

/// Sees every state of a recurrence and keeps those that a vector holds.
class StateKeeper {
 public:
  StateKeeper(const HeadInputs& head, HeadIntervals& to)
      : kept_(head.tokens, head.options.states_every), K_(head.K), V_(head.V), to_(to) {
    to.states.assign(kept_.boundaries().size(), elements<Interval>(head.initial_state));
  }
  void operator()(Index token, Index first, Index columns, const Interval* state, Index stride) const {
    const Index slot = kept_.slot(token);
    if (slot < 0) return;
    for (Index i = 0; i < K_; ++i)
      for (Index c = 0; c < columns; ++c)
        to_.states[static_cast<std::size_t>(slot)][static_cast<std::size_t>(i * V_ + first + c)] = state[i * stride + c];
  }

 private:
  KeptStates kept_;
  Index K_, V_;
  HeadIntervals& to_;
};

/// `observe` sees what the recurrence shows, beside the states that are kept.
template <class Observe>
void run_recurrence(const HeadInputs& head, const Steps<Interval>& steps, HeadIntervals& result, Observe&& observe) {
  const StateKeeper keeper(head, result);
  std::vector<Interval> state = elements<Interval>(head.initial_state);
  recurrence(steps, state.data(), result.o.data(),
             [&](Index t, Index first, Index columns, const Interval* S, Index stride, const Interval* e,
                 const Interval* w) {
               keeper(t, first, columns, S, stride);
               observe(t, first, columns, S, stride, e, w);
             });
}

HeadIntervals update_family(const HeadInputs& head) {
  HeadIntervals result;
  result.o = zeros(head.tokens * head.V);
  run_recurrence(head, make_steps<Interval>(head), result, [](const auto&...) {});
  return result;
}

HeadIntervals by_longhorn(const HeadInputs& head) {
  HeadIntervals result;
  result.o = zeros(head.tokens * head.V);
  const StateKeeper keeper(head, result);
  std::vector<Interval> state = elements<Interval>(head.initial_state);
  longhorn(head, state.data(), result.o.data(),
           [&](Index t, const Interval* S) { keeper(t, 0, head.V, S, head.V); });
  return result;
}

HeadIntervals by_softmax(const HeadInputs& head) {
  HeadIntervals result;
  result.o = zeros(head.tokens * head.V);
  softmax_attention(head, result.o.data(), [](const auto&...) {});
  return result;
}

HeadIntervals by_slots(const HeadInputs& head) {
  HeadIntervals result;
  result.o = zeros(head.tokens * head.V);
  result.states = {elements<Interval>(head.initial_state)};
  result.slot_values = elements<Interval>(head.initial_slot_values);
  gated_slots(head, result.states[0].data(), result.slot_values.data(), result.o.data(), [](const auto&...) {});
  return result;
}

// A_{n+1} from A_n and block n. Returns whether all are certain.
bool merge_sets(const HeadInputs& head, HeadIntervals& result) {
  const Index block = head.options.hola.cache_block;
  std::vector<Index> set;
  for (Index begin = 0; begin < head.tokens; begin += block) {
    result.sets.push_back(set);
    for (Index t = begin; t < std::min(begin + block, head.tokens); ++t) set.push_back(t);
    const auto next = certain_best(result.scores, set, head.options.hola.cache_size);
    if (!next && begin + block < head.tokens) return false;  // what the last block leaves is read by none
    if (next) set = *next;
  }
  return true;
}

// The cache that is ranked by the weights it got; AttentionCache itself compares doubles.
bool run_attention(const HeadInputs& head, HeadIntervals& result, std::vector<Interval>& read) {
  AttentionCache<Interval> cache;
  bool certain = true;
  cache.run(
      head, read.data(), [](const auto&...) {},
      [&](const BlockView<Interval>& view, const std::vector<Interval>& scores) {
        if (view.begin + view.count >= head.tokens) return;
        std::vector<Ranked> entries;
        for (const Index t : view.tokens) entries.push_back({to_double(scores[static_cast<std::size_t>(t)]), t});
        const auto chosen = tokens_of(best_of(std::move(entries), head.options.hola.cache_size));
        certain = certain && certain_best(scores, view.tokens, head.options.hola.cache_size) == chosen;
      });
  result.scores = std::move(cache.scores);
  result.sets = std::move(cache.sets);
  return certain;
}

HeadIntervals by_hola(const HeadInputs& head) {
  HeadIntervals result;
  result.o = zeros(head.tokens * head.V);
  const CacheScore score = head.options.hola.score;
  const Steps<Interval> steps = make_steps<Interval>(head.state_part());
  ScoreObserver<Interval> observer(head.tokens, score);
  run_recurrence(head, steps, result, observer);
  std::vector<Interval> read = zeros(head.tokens * head.V);
  if (score == CacheScore::attention) {
    result.certain = run_attention(head, result, read);
  } else {
    result.scores = cache_scores(steps, observer, score);
    result.certain = merge_sets(head, result);
    if (result.certain) cache_read(head, result.sets, read.data(), [](const auto&...) {});
  }
  const Interval gate = sigmoid<Interval>(head.cache_gate);
  for (std::size_t i = 0; i < read.size(); ++i) result.o[i] += gate * read[i];
  return result;
}

}  // namespace

HeadIntervals first_route(const HeadInputs& head) {
  switch (rule_info(head.options.rule).system) {
    case System::update_family:
      return update_family(head);
    case System::longhorn:
      return by_longhorn(head);
    case System::softmax:
      return by_softmax(head);
    case System::gsa:
      return by_slots(head);
    case System::hola:
      return by_hola(head);
  }
  throw std::logic_error("a system without a first route");
}

}  // namespace deltaproof::golden
