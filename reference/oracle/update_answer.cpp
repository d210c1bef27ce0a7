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

// The exact trajectory is within the radius of the run's.
NormTrace exact_norms(const NormTrace& run, const RecurrenceRadius& radius) {
  NormTrace trace;
  trace.state = (run.state + radius.state).unaryExpr(&outward);
  trace.w = (run.w + radius.u).unaryExpr(&outward);
  return trace;
}

template <class R>
HeadAnswer answer(const HeadInputs& head, const AnswerRequest& request, int bits) {
  // Rounding an MPFR value to double is one more error; a value of the double run stays as it is.
  constexpr double conversion = std::is_same_v<R, double> ? 0 : 0x1p-53;
  const Steps<R> steps = make_steps<R>(head);
  const KeptStates kept(head.tokens, request.every);
  RunObserver<R> run(head, kept, request.u);
  std::vector<R> state = elements<R>(head.initial_state);
  std::vector<R> o(static_cast<std::size_t>(head.tokens * head.V));
  recurrence(steps, state.data(), o.data(), run);

  RecurrenceRadius radius = recurrence_radius_of_run(
      as_double(steps), run.norms, column_norm_bounds(head.initial_state), oracle_rounding(head, bits));

  HeadAnswer answer;
  answer.bits = bits;
  answer.o.resize(head.tokens, head.V);
  for (Index i = 0; i < answer.o.size(); ++i) answer.o.data()[i] = to_double(o[static_cast<std::size_t>(i)]);
  answer.boundaries = kept.boundaries();
  answer.states = std::move(run.states);
  for (std::size_t i = 0; i < answer.states.size(); ++i) {
    const Index t = answer.boundaries[i];
    RowVector row = t == 0 ? RowVector::Zero(head.V).eval() : radius.state.row(t - 1).eval();
    if (t > 0) finish_column_radius(row, answer.states[i], conversion);
    answer.state_radius.push_back(std::move(row));
  }
  if (request.trace) answer.trace = exact_norms(run.norms, radius);
  finish_radius(radius.o, answer.o, conversion);
  answer.o_radius = std::move(radius.o);
  if (request.u) {
    answer.u = std::move(run.u);
    finish_radius(radius.u, answer.u, conversion);
    answer.u_radius = std::move(radius.u);
  }
  return answer;
}

}  // namespace

HeadAnswer update_answer_double(const HeadInputs& head, const AnswerRequest& request) {
  HeadAnswer result = answer<double>(head, request, 53);
  result.route = "double";
  return result;
}

HeadAnswer update_answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits) {
  HeadAnswer result = answer<Mpfr>(head, request, bits);
  result.route = "mpfr";
  return result;
}

}  // namespace deltaproof
