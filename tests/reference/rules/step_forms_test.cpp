#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/rules/recurrence.hpp"
#include "reference/rules/step_forms.hpp"
#include "tests/reference/rules/small_heads.hpp"

namespace deltaproof {
namespace {

using Intervals = std::vector<Interval>;

double dyadic() { return *rc::gen::inRange(-64, 65) / 16.0; }

WriteStep<Interval> arbitrary_step() {
  WriteStep<Interval> step;
  step.K = *rc::gen::inRange(1, 5);
  step.V = *rc::gen::inRange(1, 4);
  for (Index i = 0; i < step.K * step.V; ++i) step.decayed.emplace_back(dyadic());
  for (Index i = 0; i < step.K; ++i) step.k.emplace_back(dyadic());
  for (Index c = 0; c < step.V; ++c) step.v.emplace_back(dyadic());
  if (may_be_zero(square_sum(step.k.data(), step.K))) step.k[0] = Interval(1);
  return step;
}

bool meet(const Intervals& x, const Intervals& y) {
  if (x.empty() || x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!intersect(x[i], y[i])) return false;
  return true;
}

Interval norm_square(const Intervals& x) {
  return square_sum(x.data(), static_cast<Index>(x.size()));
}

Intervals difference(Intervals x, const Intervals& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return x;
}

// 1/2 |S - S~|^2 + weight/2 |S^T k - v|^2 (semantics, proximal form; Longhorn's objective is twice
// it).
Interval proximal_objective(const WriteStep<Interval>& step, const Intervals& S,
                            const Interval& weight) {
  WriteStep<Interval> at = step;
  at.decayed = S;
  return (norm_square(difference(S, step.decayed)) + weight * norm_square(residual(at))) /
         Interval(2);
}

// KLA's step, from its own coefficient.
Intervals kla_step(const WriteStep<Interval>& step, double eta, double eps) {
  Options options;
  options.rule = Rule::kla;
  options.eps = eps;
  const Interval key_square = square_sum(step.k.data(), step.K);
  return written(step, kla_coefficient<Interval>(options, eta, key_square, 1));
}

RC_GTEST_PROP(Projection, IsKlaAtEtaOneWithoutEps, ()) {
  const WorkingPrecision precision(128);
  const WriteStep<Interval> step = arbitrary_step();
  RC_ASSERT(meet(projection(step), kla_step(step, 1, 0)));
}

RC_GTEST_PROP(Projection, MeetsItsConstraintAndMovesAlongTheKey, ()) {
  const WorkingPrecision precision(128);
  WriteStep<Interval> step = arbitrary_step();
  const Intervals S = projection(step);
  // Any other solution of S^T k = v is S + H with H^T k = 0; <S - S~, H> = 0 makes S the nearest
  // one.
  Intervals H;
  for (Index i = 0; i < step.K * step.V; ++i) H.emplace_back(dyadic());
  const Interval key_square = square_sum(step.k.data(), step.K);
  for (Index c = 0; c < step.V; ++c) {
    Interval along(0);
    for (Index i = 0; i < step.K; ++i) along += H[i * step.V + c] * step.k[i];
    for (Index i = 0; i < step.K; ++i) H[i * step.V + c] -= along / key_square * step.k[i];
  }
  Interval inner(0);
  for (std::size_t i = 0; i < S.size(); ++i) inner += (S[i] - step.decayed[i]) * H[i];
  RC_ASSERT(may_be_zero(inner));
  step.decayed = S;
  for (const Interval& e : residual(step)) RC_ASSERT(may_be_zero(e));
}

TEST(Projection, IsUndefinedForAZeroKey) {
  const WriteStep<double> step{2, 1, {1, 2}, {0, 0}, {3}};
  EXPECT_THROW(projection(step), InputError);
  EXPECT_THROW(line_search(step), InputError);
}

// S~ = (1, 2), k = (1, 1), v = 5: e = 2, |k|^2 = 2, S = (2, 3).
TEST(Projection, HandComputed) {
  const WriteStep<double> step{2, 1, {1, 2}, {1, 1}, {5}};
  EXPECT_EQ(projection(step), (std::vector<double>{2, 3}));
  EXPECT_EQ(written(step, 0.25), (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(interference(step, 0.25, {2, 1}), (std::vector<double>{1.5}));
}

RC_GTEST_PROP(LineSearch, MinimumIsAtOneOverKeySquare, ()) {
  const WorkingPrecision precision(128);
  const WriteStep<Interval> step = arbitrary_step();
  const LineSearch<Interval> found = line_search(step);
  const Interval key_square = square_sum(step.k.data(), step.K);
  const Interval e_square = norm_square(residual(step));
  RC_ASSERT(found.degenerate == may_be_zero(e_square));
  const Interval other = found.tau + Interval(0.125);
  RC_ASSERT(lower(line_search_loss(found.tau, key_square, e_square)) <= 0);
  if (!found.degenerate) RC_ASSERT(lower(line_search_loss(other, key_square, e_square)) > 0);
  // The formula is the loss of the state on the line.
  WriteStep<Interval> at = step;
  at.decayed = written(step, other);
  RC_ASSERT(intersect(norm_square(residual(at)) / Interval(2),
                      line_search_loss(other, key_square, e_square)));
}

TEST(LineSearch, EveryStepIsTheSameWithoutResidual) {
  const WriteStep<double> step{2, 1, {1, 2}, {1, 1}, {3}};
  EXPECT_TRUE(line_search(step).degenerate);
  EXPECT_EQ(written(step, 0.5), written(step, -7.0));
}

RC_GTEST_PROP(Proximal, CoefficientIsKlas, ()) {
  const WorkingPrecision precision(128);
  const WriteStep<Interval> step = arbitrary_step();
  const double eta = *rc::gen::inRange(1, 16) / 16.0, eps = *rc::gen::inRange(0, 5) / 8.0;
  const Interval key_square = square_sum(step.k.data(), step.K);
  const Interval mu = proximal_weight(Interval(eta), key_square, Interval(eps));
  const Interval b = proximal_coefficient(mu, key_square);
  RC_ASSERT(intersect(b, Interval(eta) / (key_square + Interval(eps))));
  RC_ASSERT(meet(written(step, b), kla_step(step, eta, eps)));
  // It is the minimiser: the objective is convex, and its gradient (S - S~) - mu k e^T vanishes
  // there.
  WriteStep<Interval> at = step;
  at.decayed = written(step, b);
  const Intervals e = residual(at);
  for (Index i = 0; i < step.K; ++i)
    for (Index c = 0; c < step.V; ++c)
      RC_ASSERT(may_be_zero(Interval(at.decayed[i * step.V + c] - step.decayed[i * step.V + c] -
                                     mu * step.k[i] * e[c])));
}

TEST(Proximal, WeightIsInfiniteAtTheEndPoint) {
  EXPECT_THROW(proximal_weight(1.0, 2.0, 0.0), InputError);
  EXPECT_THROW(proximal_weight(0.5, 0.0, 0.0), InputError);
  EXPECT_EQ(proximal_weight(1.0, 2.0, 0.5), 2.0);
}

RC_GTEST_PROP(ResidualLaw, IsWhatTheWriteLeaves, ()) {
  const WorkingPrecision precision(128);
  const WriteStep<Interval> step = arbitrary_step();
  const double eta = *rc::gen::inRange(0, 33) / 16.0, eps = *rc::gen::inRange(0, 5) / 8.0;
  const Interval key_square = square_sum(step.k.data(), step.K);
  WriteStep<Interval> at = step;
  at.decayed = kla_step(step, eta, eps);
  Intervals expected = residual(step);
  const Interval factor = residual_factor(Interval(eta), key_square, Interval(eps));
  for (Interval& e : expected) e *= factor;
  RC_ASSERT(meet(residual(at), expected));
}

RC_GTEST_PROP(LonghornExact, IsTheClosedFormMinimiser, ()) {
  const WorkingPrecision precision(128);
  const WriteStep<Interval> step = arbitrary_step();
  const double beta = *rc::gen::inRange(1, 33) / 16.0;
  const Interval key_square = square_sum(step.k.data(), step.K);
  const Interval b = longhorn_exact_coefficient<Interval>(beta, key_square);
  const Intervals S = written(step, b);
  const Interval best = proximal_objective(step, S, Interval(beta));
  Intervals moved = S;
  // Shrinking may replay a place in a smaller step than it was drawn for.
  const auto where = static_cast<std::size_t>(*rc::gen::inRange<Index>(0, 60) % (step.K * step.V));
  moved[where] += Interval(*rc::gen::element(-0.125, 0.125));
  RC_ASSERT(upper(best) < lower(proximal_objective(step, moved, Interval(beta))));
}

RC_GTEST_PROP(Interference, IsWhatAnotherKeyReadsBack, ()) {
  const WorkingPrecision precision(128);
  const WriteStep<Interval> step = arbitrary_step();
  const Interval b(dyadic());
  Intervals other;
  for (Index i = 0; i < step.K; ++i) other.emplace_back(dyadic());
  const Intervals change = difference(written(step, b), step.decayed);
  Intervals read(step.V, Interval(0));
  for (Index c = 0; c < step.V; ++c)
    for (Index i = 0; i < step.K; ++i) read[c] += change[i * step.V + c] * other[i];
  RC_ASSERT(meet(read, interference(step, b, other)));
}

TEST(StepForms, OneStepOfTheRecurrenceIsTheWrittenState) {
  HeadInputs head = two_token_head(Rule::delta);
  head.write = matrix_of({{0.5}, {0.25}});
  const HeadInputs first = head.slice(0, 1, head.initial_state);
  std::vector<double> state = elements<double>(head.initial_state), o(1);
  recurrence(make_steps<double>(first), state.data(), o.data(), NoObserver{});
  const WriteStep<double> step{2, 1, {2, 4}, {1, 2}, {7}};
  EXPECT_EQ(state, written(step, 0.5));
}

}  // namespace
}  // namespace deltaproof
