#include "reference/oracle/enclosure.hpp"
#include "reference/oracle/kept_states.hpp"
#include "reference/oracle/outward.hpp"
#include "reference/oracle/update_answer.hpp"
#include "reference/rules/recurrence.hpp"

namespace deltaproof {
namespace {

void enclose_into(const Interval& x, Matrix& centre, Matrix& radius, Index flat) {
  const Enclosure enclosure = enclose(x);
  centre.data()[flat] = enclosure.centre;
  radius.data()[flat] = enclosure.radius;
}

/// Watches an interval run: every number it keeps is an enclosure by itself, so no certificate is
/// needed.
class IntervalObserver {
 public:
  IntervalObserver(const HeadInputs& head, const AnswerRequest& request, const KeptStates& kept,
                   HeadAnswer& answer)
      : K_(head.K), V_(head.V), request_(request), kept_(kept), answer_(answer) {
    answer.boundaries = kept.boundaries();
    answer.states.assign(answer.boundaries.size(), head.initial_state);
    answer.state_radius.assign(answer.boundaries.size(), RowVector::Zero(V_));
    for (Matrix* m : {&answer.o, &answer.o_radius}) m->resize(head.tokens, V_);
    if (request.u)
      for (Matrix* m : {&answer.u, &answer.u_radius}) m->resize(head.tokens, V_);
    if (request.e)
      for (Matrix* m : {&answer.e, &answer.e_radius}) m->resize(head.tokens, V_);
    if (request.trace)
      for (Matrix* m : {&answer.trace.state, &answer.trace.w}) m->resize(head.tokens, V_);
  }

  void operator()(Index token, Index first_column, Index columns, const Interval* state,
                  Index row_stride, const Interval* e, const Interval* w) {
    const Index slot = kept_.slot(token);
    for (Index c = 0; c < columns; ++c) {
      const Index flat = token * V_ + first_column + c;
      if (request_.u) enclose_into(w[c], answer_.u, answer_.u_radius, flat);
      if (request_.e) enclose_into(e[c], answer_.e, answer_.e_radius, flat);
      if (request_.trace) {
        answer_.trace.w.data()[flat] = size_bound(w[c]);
        answer_.trace.state.data()[flat] = column_size(state + c, row_stride);
      }
      if (slot >= 0) keep(static_cast<std::size_t>(slot), first_column + c, state + c, row_stride);
    }
  }

 private:
  double column_size(const Interval* column, Index row_stride) const {
    Vector sizes(K_);
    for (Index i = 0; i < K_; ++i) sizes[i] = size_bound(column[i * row_stride]);
    return norm_bound(sizes.data(), K_);
  }

  void keep(std::size_t slot, Index c, const Interval* column, Index row_stride) {
    Vector radii(K_);
    for (Index i = 0; i < K_; ++i) {
      const Enclosure enclosure = enclose(column[i * row_stride]);
      answer_.states[slot](i, c) = enclosure.centre;
      radii[i] = enclosure.radius;
    }
    answer_.state_radius[slot][c] = norm_bound(radii.data(), K_);
  }

  Index K_, V_;
  const AnswerRequest& request_;
  const KeptStates& kept_;
  HeadAnswer& answer_;
};

}  // namespace

HeadAnswer update_answer_mpfi(const HeadInputs& head, const AnswerRequest& request, int bits) {
  const Steps<Interval> steps = make_steps<Interval>(head);
  const KeptStates kept(head.tokens, request.every);
  HeadAnswer answer;
  answer.bits = bits;
  answer.route = "mpfi";
  IntervalObserver observer(head, request, kept, answer);
  std::vector<Interval> state = elements<Interval>(head.initial_state);
  std::vector<Interval> o(static_cast<std::size_t>(head.tokens * head.V));
  recurrence(steps, state.data(), o.data(), observer);
  for (Index i = 0; i < answer.o.size(); ++i)
    enclose_into(o[static_cast<std::size_t>(i)], answer.o, answer.o_radius, i);
  return answer;
}

}  // namespace deltaproof
