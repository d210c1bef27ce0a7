#include "reference/oracle/update_answer.hpp"

#include "reference/oracle/certificate.hpp"
#include "reference/oracle/outward.hpp"
#include "reference/oracle/update_run.hpp"

namespace deltaproof {
namespace {

std::vector<double> nearest(const std::vector<Mpfr>& values) {
  std::vector<double> doubles(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) doubles[i] = to_double(values[i]);
  return doubles;
}

// What the certificate reads; each conversion is one rounding, within its slack.
const Steps<double>& as_double(const Steps<double>& steps) { return steps; }
Steps<double> as_double(const Steps<Mpfr>& steps) {
  Steps<double> converted;
  converted.tokens = steps.tokens;
  converted.K = steps.K;
  converted.V = steps.V;
  converted.decay = steps.decay;
  converted.residual = steps.residual;
  converted.q = nearest(steps.q);
  converted.k = nearest(steps.k);
  converted.v = nearest(steps.v);
  converted.alpha = nearest(steps.alpha);
  converted.b = nearest(steps.b);
  converted.scale = to_double(steps.scale);
  return converted;
}

// Tokens of a piece: its buffers stay in the cache, and memory does not grow with the sequence.
constexpr Index piece_tokens = 128;

/// A run of the head in the scalar R, piece by piece: state, its norms and its radii are carried
/// on.
template <class R>
class Run {
 public:
  Run(const HeadInputs& head, const AnswerRequest& request, int bits)
      : head_(head),
        request_(request),
        kept_(head.tokens, request.every),
        rounding_(oracle_rounding(head, bits)),
        state_(elements<R>(head.initial_state)),
        norm_(column_norm_bounds(head.initial_state)),
        rho_(RowVector::Zero(head.V)) {
    answer.bits = bits;
    answer.boundaries = kept_.boundaries();
    answer.states.assign(answer.boundaries.size(), head.initial_state);
    answer.state_radius.assign(answer.boundaries.size(), rho_);
    allocate(true, {&answer.o, &answer.o_radius});
    allocate(request.u, {&answer.u, &answer.u_radius});
    allocate(request.e, {&answer.e, &answer.e_radius});
    allocate(request.trace, {&answer.trace.state, &answer.trace.w});
    for (Index begin = 0; begin < head.tokens; begin += piece_tokens)
      run_piece(begin, std::min(piece_tokens, head.tokens - begin));
    finish_radius(answer.o_radius, answer.o, conversion_error<R>);
    if (request.u) finish_radius(answer.u_radius, answer.u, conversion_error<R>);
    if (request.e) finish_radius(answer.e_radius, answer.e, conversion_error<R>);
  }

  HeadAnswer answer;

 private:
  void allocate(bool wanted, std::initializer_list<Matrix*> matrices) const {
    for (Matrix* matrix : matrices)
      if (wanted) matrix->resize(head_.tokens, head_.V);
  }

  void run_piece(Index begin, Index count) {
    const HeadInputs piece = head_.slice(begin, count, head_.initial_state);
    const Steps<R> steps = make_steps<R>(piece);
    RunObserver<R> observer(begin, piece, kept_, answer);
    std::vector<R> o(static_cast<std::size_t>(count * head_.V));
    recurrence(steps, state_.data(), o.data(), observer);
    for (std::size_t i = 0; i < o.size(); ++i)
      answer.o.data()[static_cast<std::size_t>(begin * head_.V) + i] = to_double(o[i]);
    keep_radii(begin, observer.norms,
               recurrence_radius_of_run(as_double(steps), observer.norms, norm_, rounding_, rho_));
  }

  void keep_radii(Index begin, const NormTrace& norms, const RecurrenceRadius& radius) {
    const Index count = norms.state.rows();
    answer.o_radius.middleRows(begin, count) = radius.o;
    if (request_.u) answer.u_radius.middleRows(begin, count) = radius.u;
    if (request_.e) answer.e_radius.middleRows(begin, count) = radius.e;
    if (request_.trace) {  // the exact trajectory is within the radius of the run's
      answer.trace.state.middleRows(begin, count) =
          (norms.state + radius.state).unaryExpr(&outward);
      answer.trace.w.middleRows(begin, count) = (norms.w + radius.u).unaryExpr(&outward);
    }
    for (Index t = 0; t < count; ++t) {
      if (kept_.slot(begin + t) < 0) continue;
      const std::size_t slot = static_cast<std::size_t>(kept_.slot(begin + t));
      answer.state_radius[slot] = radius.state.row(t);
      finish_column_radius(answer.state_radius[slot], answer.states[slot], conversion_error<R>);
    }
    norm_ = norms.state.row(count - 1);
    rho_ = radius.state.row(count - 1);
  }

  const HeadInputs& head_;
  const AnswerRequest& request_;
  KeptStates kept_;
  RecurrenceRounding rounding_;
  std::vector<R> state_;
  RowVector norm_, rho_;
};

template <class R>
HeadAnswer answer(const HeadInputs& head, const AnswerRequest& request, int bits,
                  const char* route) {
  Run<R> run(head, request, bits);
  run.answer.route = route;
  return std::move(run.answer);
}

}  // namespace

HeadAnswer update_answer_double(const HeadInputs& head, const AnswerRequest& request) {
  return answer<double>(head, request, 53, "double");
}

HeadAnswer update_answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits) {
  return answer<Mpfr>(head, request, bits, "mpfr");
}

}  // namespace deltaproof
