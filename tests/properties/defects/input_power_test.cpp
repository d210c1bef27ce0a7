// How short a history the rules accept, where it is known.
#include <gtest/gtest.h>

#include <algorithm>

#include "properties/defects/input_power.hpp"
#include "properties/defects/published_rules.hpp"
#include "reference/oracle/answer.hpp"

namespace deltaproof {
namespace {

// 32 tokens with the keys e_0 .. e_31 in turn, b = 1, no decay: each token writes its value to a row of its own.
// Values are 0 before token `first`; the query of a token is its key. Chunks of 16.
Problem own_rows(std::int64_t first) {
  constexpr std::int64_t n = 32, V = 8;
  std::vector<double> keys(n * n), values(n * V);
  for (std::int64_t t = 0; t < n; ++t) keys[static_cast<std::size_t>(t * n + t)] = 1;
  for (std::int64_t i = first * V; i < n * V; ++i) values[static_cast<std::size_t>(i)] = i % 3 == 0 ? -1.5 : 1.25;
  TensorMap tensors;
  tensors["q"] = tensors["k"] = Tensor::from(Dtype::bf16, {1, n, 1, n}, keys);
  tensors["v"] = Tensor::from(Dtype::bf16, {1, n, 1, V}, values);
  tensors["beta"] = Tensor::from(Dtype::f32, {1, n, 1}, std::vector<double>(n, 1));
  return Problem::make("own rows",
                       {{"format", "deltaproof.case/1"},
                        {"rule", "delta"},
                        {"chunk_size", "16"},
                        {"scale", "1"},
                        {"arithmetic", "deltaproof-chunk"}},
                       std::move(tensors));
}

// The final state has a row of each of the last 6 tokens, so these must be remembered, and no others.
TEST(InputPower, WhatNoValueWasWrittenByMayBeForgotten) {
  const std::vector<RulePower> found = input_power(own_rows(26), 16);
  EXPECT_EQ(found.size(), 2 + published_rules().size());
  for (const RulePower& rule : found) {
    EXPECT_EQ(rule.shortest, 6) << rule.rule;
    EXPECT_FALSE(rule.says_nothing) << rule.rule;
    EXPECT_FALSE(rule.sees_lost_carry) << rule.rule;  // the state was 0
  }
}

TEST(InputPower, WhereEveryTokenWroteAllMustBeRememberedAndALostStateIsSeen) {
  for (const RulePower& rule : input_power(own_rows(0), 16)) {
    EXPECT_EQ(rule.shortest, 32) << rule.rule;
    EXPECT_TRUE(rule.sees_lost_carry) << rule.rule;
  }
}

// Where states forget within a few tokens by themselves.
TEST(InputPower, IsOfAStateInEveryFamily) {
  for (const Regime& regime : regimes()) {
    EXPECT_EQ(rule_info(power_problem(regime, 1).options().rule).system, System::update_family) << regime.name;
  }
}

TEST(InputPower, StrongDecayHidesALostState) {
  ASSERT_EQ(tried_histories(256).front(), 1);
  const Problem problem = power_problem(*find_regime("strong_decay"), 1);
  for (const RulePower& rule : input_power(problem, 128)) {
    if (rule.rule == "rms < 0.005") {
      EXPECT_LE(rule.shortest, 12);
    } else if (rule.rule == "LOC") {
      EXPECT_GT(rule.shortest, 2);
    }
  }
}

TEST(InputPower, TheWholeHistoryIsTheRightAnswerRoundedOnce) {
  const Problem problem = power_problem(*find_regime("rand_sig_gdn"), 2);
  const Outputs run = with_history(problem, 256);
  const HeadAnswer answer = answer_double(head_inputs(problem, problem.sequences().front(), 0), {.every = 64});
  const Tensor right =
      Tensor::from(Dtype::bf16, {1, 256, 1, 32}, {answer.o.data(), answer.o.data() + answer.o.size()});
  EXPECT_EQ(run.tensors.at("o").bytes, right.bytes);
  const std::vector<double> states = run.tensors.at("chunk_states").values();
  EXPECT_NEAR(states[1024 + 5], answer.states[1].data()[5], 1e-6);
  EXPECT_EQ(states.size(), 4 * 1024);
}

TEST(InputPower, AHistoryOfOneSeesItsOwnTokenAlone) {
  const Problem problem = own_rows(0);
  const Outputs run = with_history(problem, 1);
  const Tensor &o = run.tensors.at("o"), &v = *problem.find("v");
  EXPECT_EQ(o.bytes, v.bytes);  // q = k = e_t reads what t wrote
  const std::vector<double> state = run.tensors.at("final_state").values();
  EXPECT_EQ(std::count_if(state.begin(), state.end(), [](double x) { return x != 0; }), 8);
}

TEST(InputPower, HistoriesArePowersOfTwoAndHalfwayAndAll) {
  EXPECT_EQ(tried_histories(20), (std::vector<std::int64_t>{1, 2, 3, 4, 6, 8, 12, 16, 20}));
  EXPECT_EQ(tried_histories(1), (std::vector<std::int64_t>{1}));
}

}  // namespace
}  // namespace deltaproof
