#include <gtest/gtest.h>

#include "properties/regimes/families.hpp"
#include "reference/bounds/fp64_bound.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {
namespace {

// The recurrence in double, its sums from the last channel to the first.
struct DoubleRun {
  Matrix o, state;
};

DoubleRun reversed_recurrence(const HeadInputs& head) {
  const Steps<double> s = make_steps<double>(head);
  DoubleRun run{Matrix(s.tokens, s.V), head.initial_state};
  for (Index t = 0; t < s.tokens; ++t) {
    const double* k = s.k.data() + t * s.K;
    const double* q = s.q.data() + t * s.K;
    for (Index c = 0; c < s.K && !s.alpha.empty(); ++c) {
      const bool scalar = static_cast<Index>(s.alpha.size()) == s.tokens;
      run.state.row(c) *= s.alpha[static_cast<std::size_t>(scalar ? t : t * s.K + c)];
    }
    for (Index j = 0; j < s.V; ++j) {
      double e = 0, o = 0;
      if (s.residual) {
        for (Index c = s.K; c-- > 0;) e += k[c] * run.state(c, j);
      }
      const double w =
          s.b[static_cast<std::size_t>(t)] * (s.v[static_cast<std::size_t>(t * s.V + j)] - e);
      for (Index c = 0; c < s.K; ++c) run.state(c, j) += k[c] * w;
      for (Index c = s.K; c-- > 0;) o += q[c] * run.state(c, j);
      run.o(t, j) = s.scale * o;
    }
  }
  return run;
}

Rule rule_for(const Regime& regime) {
  return regime.rule == Rule::kla ? Rule::kla : Rule::gated_delta;
}

TEST(Fp64Bound, HoldsForAnotherOrderInEveryRegime) {
  for (const Regime& regime : regimes()) {
    const HeadInputs head = regime_head(regime, rule_for(regime),
                                        {.tokens = 100, .K = 16, .V = 8, .initial_state = true}, 2);
    const HeadBound bound = fp64_bound(head, {100});
    const HeadAnswer exact = answer_mpfr(head, {}, 200);
    const DoubleRun run = reversed_recurrence(head);
    const Matrix o = bound.o.sum(100, 8), state = bound.states.at(0).sum(16, 8);
    EXPECT_TRUE(((run.o - exact.o).cwiseAbs().array() <= o.array() + exact.o_radius.array()).all())
        << regime.name;
    EXPECT_TRUE(((run.state - exact.states[0]).cwiseAbs().array() <=
                 state.array() + exact.state_radius[0].replicate(16, 1).array())
                    .all())
        << regime.name;
  }
}

// What the bound must see: a decay applied twice, or a value an ulp of fp32 off.
TEST(Fp64Bound, IsBrokenByAnErrorOfOneFloatUlp) {
  HeadInputs head = regime_head(*find_regime("rand_sig_gdn"), Rule::gated_delta,
                                {.tokens = 100, .K = 16, .V = 8}, 2);
  const HeadBound bound = fp64_bound(head, {100});
  const Matrix right = reversed_recurrence(head).o;
  head.v(7, 0) *= 1 + 0x1p-23;
  const Matrix wrong = reversed_recurrence(head).o;
  EXPECT_TRUE(((wrong - right).cwiseAbs().array() > 2 * bound.o.sum(100, 8).array()).any());
}

TEST(Fp64Bound, HasOneStateBoundForEachBoundary) {
  const HeadInputs head = regime_head(*find_regime("rand_sig_gdn"), Rule::gated_delta,
                                      {.tokens = 10, .K = 4, .V = 3, .initial_state = true}, 2);
  const HeadBound bound = fp64_bound(head, {0, 5, 10});
  ASSERT_EQ(bound.states.size(), 3u);
  EXPECT_EQ(bound.states[0].sum(4, 3).maxCoeff(), 0);
  EXPECT_GT(bound.states[1].sum(4, 3).minCoeff(), 0);
  EXPECT_EQ(bound.o.sum(10, 3).rows(), 10);
}

TEST(Fp64Bound, HasAsManyStateBoundsAsTheSystemHasStates) {
  const auto bound_of = [](Rule rule) {
    return fp64_bound(regime_head(*find_regime("rand_sig_gdn"), rule, {.tokens = 10, .K = 4, .V = 3}, 3), {5, 10});
  };
  const HeadBound longhorn = bound_of(Rule::longhorn), softmax = bound_of(Rule::softmax), gsa = bound_of(Rule::gsa);
  EXPECT_EQ(longhorn.states.size(), 2u);
  EXPECT_TRUE(longhorn.slot_values.empty());
  EXPECT_TRUE(softmax.states.empty() && softmax.slot_values.empty());
  EXPECT_EQ(gsa.states.size(), 2u);
  EXPECT_EQ(gsa.slot_values.size(), 2u);
}

}  // namespace
}  // namespace deltaproof
