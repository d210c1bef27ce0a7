#include <gtest/gtest.h>

#include "properties/regimes/families.hpp"

namespace deltaproof {
namespace {

RegimeShape gva_shape() {
  RegimeShape shape;
  shape.tokens = 11, shape.K = 8, shape.V = 6, shape.B = 2, shape.H = 2, shape.HV = 4,
  shape.slots = 3;
  shape.initial_state = true;
  return shape;
}

// head_inputs reads back, bit by bit, what was drawn: every rule, every family, grouped heads.
TEST(RegimeProblems, FirstHeadIsTheRegimeHead) {
  for (const Regime& regime : regimes())
    for (const RuleInfo& info : rule_table()) {
      SCOPED_TRACE(std::string(regime.name) + " " + std::string(info.name));
      const Problem problem = regime_problem(regime, info.rule, gva_shape(), 5);
      EXPECT_TRUE(problem.unused().empty());
      const HeadInputs read = head_inputs(problem, problem.sequences().front(), 0);
      const HeadInputs drawn = regime_head(regime, info.rule, gva_shape(), 5);
      EXPECT_TRUE(read.q == drawn.q);
      EXPECT_TRUE(read.k == drawn.k);
      EXPECT_TRUE(read.v == drawn.v);
      EXPECT_TRUE(read.g == drawn.g);
      EXPECT_TRUE(read.write == drawn.write);
      EXPECT_TRUE(read.slot_decay == drawn.slot_decay);
      EXPECT_TRUE(read.initial_state == drawn.initial_state);
      EXPECT_TRUE(read.initial_slot_values == drawn.initial_slot_values);
      EXPECT_EQ(read.options.scale, drawn.options.scale);
      EXPECT_EQ(read.sink, drawn.sink);
      EXPECT_EQ(read.cache_gate, drawn.cache_gate);
      EXPECT_TRUE(read.gamma_q == drawn.gamma_q);
      EXPECT_TRUE(read.gamma_k == drawn.gamma_k);
      EXPECT_EQ(read.options.qk_l2norm, drawn.options.qk_l2norm);
      EXPECT_EQ(read.options.hola.cache_size, drawn.options.hola.cache_size);
      EXPECT_EQ(read.options.hola.cache_block, drawn.options.hola.cache_block);
      EXPECT_EQ(read.slots, drawn.slots);
    }
}

TEST(RegimeProblems, ValueHeadsShareTheKeysOfTheirGroupOnly) {
  const Problem problem =
      regime_problem(*find_regime("cancel_v=Wk"), Rule::gated_delta, gva_shape(), 5);
  const Sequence& row = problem.sequences().back();
  const HeadInputs h0 = head_inputs(problem, row, 0), h1 = head_inputs(problem, row, 1),
                   h2 = head_inputs(problem, row, 2);
  EXPECT_TRUE(h0.k == h1.k);
  EXPECT_FALSE(h1.k == h2.k);
  EXPECT_FALSE(h0.v == h1.v);
  EXPECT_FALSE(h0.initial_state == h1.initial_state);
  EXPECT_FALSE(h0.k == head_inputs(problem, problem.sequences().front(), 0).k)
      << "batch rows differ";
}

TEST(RegimeProblems, TheStateOfHolaIsDrawnAsItsOwnRuleDrawsIt) {
  for (const Rule rule : {Rule::gated_delta, Rule::kla}) {
    RegimeShape shape = gva_shape();
    shape.state_rule = rule;
    for (const Regime& regime : regimes()) {
      const Problem hola = regime_problem(regime, Rule::hola, shape, 5), alone = regime_problem(regime, rule, shape, 5);
      EXPECT_EQ(state_rule(hola.options()).rule, rule);
      for (const auto& [name, tensor] : alone.tensors()) EXPECT_EQ(hola.find(name)->bytes, tensor.bytes) << regime.name;
      EXPECT_EQ(hola.tensors().size(), alone.tensors().size() + 4);
    }
  }
}

TEST(RegimeProblems, AbsentInitialStateIsZero) {
  RegimeShape shape = gva_shape();
  shape.initial_state = false;
  const Problem problem = regime_problem(*find_regime("rand_b1_a1"), Rule::gated_delta, shape, 5);
  EXPECT_EQ(problem.find("initial_state"), nullptr);
  EXPECT_TRUE(
      regime_head(*find_regime("rand_b1_a1"), Rule::gated_delta, shape, 5).initial_state.isZero(0));
}

}  // namespace
}  // namespace deltaproof
