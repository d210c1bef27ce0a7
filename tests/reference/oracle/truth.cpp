#include "truth.hpp"

#include <algorithm>
#include <limits>

#include "reference/rules/recurrence.hpp"

namespace deltaproof::testing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double column_ratio(const Matrix& state, const std::vector<Mpfr>& truth, Index column,
                    double radius) {
  Mpfr sum(0);
  for (Index i = 0; i < state.rows(); ++i) {
    const Mpfr error =
        Mpfr(state(i, column)) - truth[static_cast<std::size_t>(i * state.cols() + column)];
    sum += error * error;
  }
  return ratio(sqrt(sum), radius);
}

double element_ratio(const Matrix& value, const Matrix& radius, const std::vector<Mpfr>& truth) {
  double worst = 0;
  for (Index i = 0; i < value.size(); ++i)
    worst = std::max(
        worst, ratio(Mpfr(value.data()[i]) - truth[static_cast<std::size_t>(i)], radius.data()[i]));
  return worst;
}

}  // namespace

double ratio(const Mpfr& error, double radius) {
  const Mpfr size = abs(error);
  if (radius == infinite || size == 0) return 0;
  const double value = upper(size / Mpfr(radius));
  return value <= infinite ? value : infinite;
}

Truth update_truth(const HeadInputs& head) {
  const Steps<Mpfr> steps = make_steps<Mpfr>(head);
  const std::size_t rows = static_cast<std::size_t>(head.tokens * head.V);
  Truth truth;
  truth.tokens = head.tokens;
  truth.K = head.K;
  truth.V = head.V;
  truth.o.resize(rows);
  truth.u.resize(rows);
  truth.states.assign(static_cast<std::size_t>(head.tokens),
                      std::vector<Mpfr>(static_cast<std::size_t>(head.K * head.V)));
  std::vector<Mpfr> state = elements<Mpfr>(head.initial_state);
  recurrence(steps, state.data(), truth.o.data(),
             [&](Index t, Index first, Index columns, const Mpfr* block, Index stride, const Mpfr*,
                 const Mpfr* w) {
               for (Index c = 0; c < columns; ++c) {
                 truth.u[static_cast<std::size_t>(t * head.V + first + c)] = w[c];
                 for (Index i = 0; i < head.K; ++i)
                   truth.states[static_cast<std::size_t>(t)]
                               [static_cast<std::size_t>(i * head.V + first + c)] =
                       block[i * stride + c];
               }
             });
  return truth;
}

Ratios compare(const HeadAnswer& answer, const Truth& truth) {
  Ratios ratios;
  ratios.o = element_ratio(answer.o, answer.o_radius, truth.o);
  ratios.certified = answer.o_radius.allFinite();
  if (answer.u.size() > 0) ratios.u = element_ratio(answer.u, answer.u_radius, truth.u);
  for (std::size_t n = 0; n < answer.states.size(); ++n) {
    const Index tokens = answer.boundaries[n];
    if (tokens == 0) continue;
    for (Index c = 0; c < truth.V; ++c)
      ratios.state =
          std::max(ratios.state, column_ratio(answer.states[n],
                                              truth.states[static_cast<std::size_t>(tokens - 1)], c,
                                              answer.state_radius[n][c]));
    ratios.certified = ratios.certified && answer.state_radius[n].allFinite();
  }
  return ratios;
}

Ratios compare(const KernelRun& run, const RecurrenceRadius& radius, const Truth& truth) {
  Ratios ratios;
  ratios.o = element_ratio(run.o, radius.o, truth.o);
  ratios.u = element_ratio(run.u, radius.u, truth.u);
  ratios.certified = radius.o.allFinite() && radius.state.allFinite() && radius.u.allFinite();
  for (Index t = 0; t < truth.tokens; ++t)
    for (Index c = 0; c < truth.V; ++c)
      ratios.state = std::max(ratios.state, column_ratio(run.states[static_cast<std::size_t>(t)],
                                                         truth.states[static_cast<std::size_t>(t)],
                                                         c, radius.state(t, c)));
  return ratios;
}

}  // namespace deltaproof::testing
