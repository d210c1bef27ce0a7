#include <gtest/gtest.h>

#include "properties/regimes/families.hpp"
#include "reference/rules/recurrence.hpp"
#include "tests/reference/rules/small_heads.hpp"

namespace deltaproof {
namespace {

HeadInputs head_of(Rule rule, std::int64_t V) {
  RegimeShape shape;
  shape.tokens = 17, shape.K = 9, shape.V = V, shape.initial_state = true;
  return regime_head(*find_regime("rand_sig_gdn"), rule, shape, 1);
}

struct Trajectory {
  std::vector<double> state, o;
  bool operator==(const Trajectory&) const = default;
};

Trajectory start_of(const HeadInputs& head) {
  return {elements<double>(head.initial_state),
          std::vector<double>(static_cast<std::size_t>(head.tokens * head.V))};
}

TEST(Recurrence, AColumnDoesNotDependOnHowColumnsAreDivided) {
  for (const Rule rule : update_family()) {
    for (const std::int64_t V : {1, 3, 4, 7, 16, 23, 40}) {
      const HeadInputs head = head_of(rule, V);
      const Steps<double> steps = make_steps<double>(head);
      Trajectory whole = start_of(head), single = start_of(head), parts = start_of(head);
      recurrence(steps, whole.state.data(), whole.o.data(), NoObserver{});
      for (Index c = 0; c < V; ++c)
        recurrence_columns(steps, c, 1, single.state.data(), single.o.data(), NoObserver{});
      const Index cut = V / 3;
      recurrence_columns(steps, cut, V - cut, parts.state.data(), parts.o.data(), NoObserver{});
      recurrence_columns(steps, 0, cut, parts.state.data(), parts.o.data(), NoObserver{});
      EXPECT_EQ(whole, single) << rule_info(rule).name << " V = " << V;
      EXPECT_EQ(whole, parts) << rule_info(rule).name << " V = " << V;
    }
  }
}

TEST(Recurrence, LeavesOtherColumnsAlone) {
  const HeadInputs head = head_of(Rule::gated_delta, 8);
  Trajectory run = start_of(head);
  const Trajectory before = run;
  recurrence_columns(make_steps<double>(head), 2, 3, run.state.data(), run.o.data(), NoObserver{});
  for (Index i = 0; i < head.K; ++i)
    for (Index c = 0; c < 8; ++c) {
      const bool inside = c >= 2 && c < 5;
      EXPECT_EQ(run.state[i * 8 + c] != before.state[i * 8 + c], inside) << i << ", " << c;
    }
}

// Collects what it is shown into whole matrices.
struct Recorder {
  std::vector<std::vector<double>> states;
  std::vector<double> e, w;
  Index K, V;

  explicit Recorder(const HeadInputs& head)
      : states(head.tokens, std::vector<double>(head.K * head.V)),
        e(head.tokens * head.V),
        w(head.tokens * head.V),
        K(head.K),
        V(head.V) {}
  void operator()(Index t, Index first, Index columns, const double* state, Index stride,
                  const double* e_t, const double* w_t) {
    for (Index c = 0; c < columns; ++c) {
      e[t * V + first + c] = e_t[c];
      w[t * V + first + c] = w_t[c];
      for (Index i = 0; i < K; ++i) states[t][i * V + first + c] = state[i * stride + c];
    }
  }
};

TEST(Recurrence, ObserverSeesTheStateAfterEachWrite) {
  const HeadInputs head = head_of(Rule::gated_delta, 23);
  const Steps<double> steps = make_steps<double>(head);
  Recorder recorder(head);
  Trajectory run = start_of(head);
  recurrence(steps, run.state.data(), run.o.data(), recorder);
  EXPECT_EQ(recorder.states.back(), run.state);
  std::vector<double> sums(23);
  for (Index t = 0; t < head.tokens; ++t) {
    const HeadInputs prefix = head.slice(0, t + 1, head.initial_state);
    Trajectory part = start_of(prefix);
    recurrence(make_steps<double>(prefix), part.state.data(), part.o.data(), NoObserver{});
    EXPECT_EQ(recorder.states[t], part.state) << "token " << t;
    for (Index c = 0; c < 23; ++c)
      EXPECT_EQ(recorder.w[t * 23 + c], steps.b[t] * recorder.e[t * 23 + c]);
  }
}

TEST(Recurrence, ZeroKeyLeavesTheDecayedState) {
  HeadInputs head = head_of(Rule::kla, 23);
  head.k.setZero();
  head.v.setZero();
  const Steps<double> steps = make_steps<double>(head);
  Trajectory run = start_of(head);
  std::vector<double> decayed = run.state;
  recurrence(steps, run.state.data(), run.o.data(), NoObserver{});
  for (const double a : steps.alpha)
    for (double& s : decayed) s *= a;
  EXPECT_EQ(run.state, decayed);
}

TEST(Recurrence, NoTokensLeaveTheInitialState) {
  const HeadInputs head = head_of(Rule::gated_delta, 5);
  const HeadInputs none = head.slice(0, 0, head.initial_state);
  Trajectory run = start_of(none);
  const Trajectory before = run;
  recurrence(make_steps<double>(none), run.state.data(), run.o.data(), NoObserver{});
  EXPECT_EQ(run, before);
}

TEST(ColumnSquares, AreTheSumsOfSquares) {
  std::vector<double> state, expected(21);
  for (int i = 0; i < 5; ++i)
    for (int c = 0; c < 24; ++c) state.push_back(i * 10 - c);
  std::vector<double> sums(21, 1);
  add_column_squares(state.data() + 1, 5, 21, 24, sums.data());
  for (int c = 0; c < 21; ++c) {
    expected[c] = 1;
    for (int i = 0; i < 5; ++i) expected[c] += state[i * 24 + 1 + c] * state[i * 24 + 1 + c];
  }
  EXPECT_EQ(sums, expected);
}

}  // namespace
}  // namespace deltaproof
