#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "family_heads.hpp"
#include "reference/oracle/answer.hpp"

// Where a family may be used: every rule takes it; within its domain the exact answer is inside fp32; and the answers
// that are known in closed form.

namespace deltaproof {
namespace {

using namespace testing;

TEST(Domains, EveryFamilyIsAProblemOfEveryRuleTypeAndLength) {
  for (const Regime& regime : regimes())
    for (const RuleInfo& info : rule_table())
      for (const Dtype input : input_types)
        for (const std::int64_t tokens : {0, 1, 2, 17}) {
          SCOPED_TRACE(std::string(regime.name) + " " + std::string(info.name));
          const RegimeShape shape{.tokens = tokens, .K = 5, .V = 3, .B = 2, .H = 2, .HV = 4, .slots = 3,
                                  .initial_state = true, .input = input, .chunk = 16};
          EXPECT_NO_THROW(regime_problem(regime, info.rule, shape, 7));
        }
}

double largest(const HeadAnswer& answer) {
  double most = answer.o.size() == 0 ? 0 : answer.o.cwiseAbs().maxCoeff();
  for (const Matrix& state : answer.states) most = std::max(most, state.cwiseAbs().maxCoeff());
  return most;
}

bool all_finite(const HeadAnswer& answer) {
  return answer.o.allFinite() &&
         std::ranges::all_of(answer.states, [](const Matrix& state) { return state.allFinite(); });
}

double largest_answer(const Regime& regime, Rule rule, const RegimeShape& shape, const Options& options) {
  HeadInputs head = regime_head(regime, rule, shape, 3);
  head.options.variant = options.variant, head.options.c = options.c;
  const HeadAnswer answer = answer_double(head, {.every = 8});
  return all_finite(answer) ? largest(answer) : std::numeric_limits<double>::infinity();
}

std::vector<Options> all_options() {
  std::vector<Options> all;
  for (const RuleInfo& info : rule_table()) {
    if (info.system != System::update_family) continue;
    Options options;
    options.rule = info.rule;
    all.push_back(options);
    if (info.rule != Rule::kla) continue;
    for (const KlaVariant variant : {KlaVariant::no_norm, KlaVariant::key_norm_only, KlaVariant::learned_scalar}) {
      options.variant = variant;
      options.c = 0.375;
      all.push_back(options);
    }
  }
  return all;
}

// FLT_MAX is 2^128; |S0|, |v| < 2^60 at most, 200 tokens add 2^8 of them, steps up to 2.05 expand by 1.05^200 < 2^15.
TEST(Domains, ExactAnswersStayFarInsideFp32) {
  for (const Regime& regime : regimes())
    for (const Options& options : all_options())
      for (const Dtype input : input_types)
        for (const std::int64_t K : {1, 12}) {
          if (!stays_in_fp32(regime, options)) continue;
          const RegimeShape shape{.tokens = 200, .K = K, .V = 3, .initial_state = true, .input = input};
          EXPECT_LT(largest_answer(regime, options.rule, shape, options), 0x1p100)
              << regime.name << ' ' << rule_info(options.rule).name << ' ' << static_cast<int>(options.variant);
        }
}

// The function is no mere yes.
TEST(Domains, OutsideOfThemAnswersDoNot) {
  const RegimeShape shape{.tokens = 200, .K = 12, .V = 3, .initial_state = true};
  const Options delta{.rule = Rule::delta};
  Options no_norm{.rule = Rule::kla};
  no_norm.variant = KlaVariant::no_norm;
  EXPECT_FALSE(stays_in_fp32(*find_regime("kla_mixnorm"), delta));
  EXPECT_GT(largest_answer(*find_regime("kla_mixnorm"), Rule::delta, shape, delta), 0x1p100);
  EXPECT_FALSE(stays_in_fp32(*find_regime("huge_keys"), no_norm));
  EXPECT_GT(largest_answer(*find_regime("huge_keys"), Rule::kla, shape, no_norm), 0x1p100);
  Options learned{.rule = Rule::kla};
  learned.variant = KlaVariant::learned_scalar, learned.c = 0.375;
  EXPECT_FALSE(stays_in_fp32(*find_regime("parallel_b1.98"), learned));
  EXPECT_GT(largest_answer(*find_regime("parallel_b1.98"), Rule::kla, shape, learned), 0x1p100);
}

TEST(Domains, EveryFamilyIsFitForItsUsualRule) {
  for (const Regime& regime : regimes()) EXPECT_TRUE(stays_in_fp32(regime, {.rule = regime.rule})) << regime.name;
}

// Exact in double: the answer is a number of few bits, and so is every sum on the way.
TEST(Domains, ExactIntegersHaveAnswersThatBf16Holds) {
  for (const Rule rule : {Rule::delta, Rule::gated_delta, Rule::vector_decay_delta, Rule::linear, Rule::scalar_decay,
                          Rule::vector_decay}) {
    const bool residual = rule_info(rule).residual;
    const RegimeShape shape{.tokens = residual ? 200 : 62, .K = 12, .V = 5, .initial_state = true};
    const HeadAnswer answer = answer_double(head_of("exact_integers", rule, shape), {.every = 1});
    std::vector<Matrix> all = answer.states;
    all.push_back(answer.o);
    for (const Matrix& m : all)
      for (Index i = 0; i < m.size(); ++i) {
        const double x = m.data()[i];
        ASSERT_EQ(x, std::round(x));
        ASSERT_EQ(x, round_to_nearest_even(formats::bf16, x)) << rule_info(rule).name;
      }
    EXPECT_GT(largest(answer), 3);
  }
}

// S_t = S0 + k_t (v_t - S0^T k_t)^T, whatever came before token t: k_t is one key, or that or its negative.
TEST(Domains, EqualAndOppositeKeysLeaveTheLastValueAlone) {
  for (const char* family : {"equal_keys", "opposite_keys"})
    for (const Rule rule : {Rule::delta, Rule::gated_delta, Rule::vector_decay_delta}) {
      const HeadInputs head = head_of(family, rule);
      const HeadAnswer answer = answer_double(head, {.every = 1});
      for (Index t = 0; t < head.tokens; ++t) {
        const Matrix k = head.k.row(t);
        const Matrix& S0 = head.initial_state;
        const Matrix closed = S0 + k.transpose() * (head.v.row(t) - k * S0);
        const Matrix& state = answer.states[static_cast<std::size_t>(t)];
        const Matrix radius = answer.state_radius[static_cast<std::size_t>(t)].replicate(head.K, 1);
        // In double the closed form has at most 20 roundings of numbers below 2^5.
        EXPECT_TRUE(((state - closed).cwiseAbs().array() <= radius.array() + 20 * 0x1p-48).all()) << family << t;
      }
    }
}

}  // namespace
}  // namespace deltaproof
