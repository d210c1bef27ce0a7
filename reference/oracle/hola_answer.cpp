#include "reference/oracle/hola_answer.hpp"

#include <algorithm>

#include "reference/oracle/hola_read.hpp"
#include "reference/oracle/hola_sets.hpp"
#include "reference/oracle/outward.hpp"
#include "reference/oracle/update_answer.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

void choose_sets(const HeadInputs& head, HeadAnswer& answer) {
  CacheScores scores = cache_scores(head, answer);
  const HolaOptions& options = head.options.hola;
  answer.sets = blockwise_sets({scores.score.data(), static_cast<std::size_t>(head.tokens)}, options.cache_size,
                               options.cache_block);
  answer.certain = certain_sets(scores, answer.sets, options.cache_block);
  answer.score = std::move(scores.score);
  answer.score_radius = std::move(scores.radius);
}

void take(AttentionAnswer attention, HeadAnswer& answer) {
  answer.score = std::move(attention.score);
  answer.score_radius = std::move(attention.radius);
  answer.sets = std::move(attention.sets);
  answer.certain = std::move(attention.certain);
}

// The state's o and the cache's share are doubles; their sum is one rounding.
void add_read(const HeadInputs& head, const CacheReadAnswer& read, HeadAnswer& answer) {
  const Index block = head.options.hola.cache_block;
  for (Index t = 0; t < head.tokens; ++t)
    for (Index c = 0; c < head.V; ++c) {
      double &o = answer.o(t, c), &radius = answer.o_radius(t, c);
      o += read.o(t, c);
      const double rounded = read.o(t, c) == 0 ? 0 : 0x1p-53 * std::abs(o);
      radius = std::isfinite(o) ? outward(radius + read.o_radius(t, c) + rounded) : infinity;
      if (!answer.certain[static_cast<std::size_t>(t / block)]) radius = infinity;
    }
}

void release_unless(bool wanted, Matrix& value, Matrix& radius) {
  if (!wanted) value = radius = Matrix();
}

/// `state`, `attention` and `read` compute by one route. The state's inputs are gone before the cache is read.
template <class State, class Attention, class Read>
HeadAnswer answer_by(const HeadInputs& head, const AnswerRequest& request, State&& state, Attention&& attention,
                     Read&& read) {
  HeadAnswer answer = state(head.state_part(), score_request(request, head.options.hola.score));
  if (head.options.hola.score == CacheScore::attention) take(attention(), answer);
  else choose_sets(head, answer);
  release_unless(request.u, answer.u, answer.u_radius);
  release_unless(request.e, answer.e, answer.e_radius);
  if (request.sets != nullptr) {
    answer.sets = *request.sets;
    answer.certain.assign(answer.sets.size(), true);
  }
  add_read(head, read(answer.sets), answer);
  return answer;
}

}  // namespace

HeadAnswer hola_answer_double(const HeadInputs& head, const AnswerRequest& request) {
  return answer_by(
      head, request, update_answer_double, [&] { return attention_answer<double>(head, 53); },
      [&](const CacheSets& sets) { return cache_read_answer(head, sets); });
}

HeadAnswer hola_answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits) {
  return answer_by(
      head, request,
      [&](const HeadInputs& state, const AnswerRequest& wanted) { return update_answer_mpfr(state, wanted, bits); },
      [&] { return attention_answer<Mpfr>(head, bits); },
      [&](const CacheSets& sets) { return cache_read_answer(head, sets, std::max(bits, 54)); });
}

HeadAnswer hola_answer_mpfi(const HeadInputs& head, const AnswerRequest& request, int bits) {
  return answer_by(
      head, request,
      [&](const HeadInputs& state, const AnswerRequest& wanted) { return update_answer_mpfi(state, wanted, bits); },
      [&] { return attention_answer<Interval>(head, bits); },
      [&](const CacheSets& sets) { return cache_read_intervals(head, sets, bits); });
}

bool sets_undecided(const HeadAnswer& answer) { return std::ranges::count(answer.certain, false) > 0; }

}  // namespace deltaproof
