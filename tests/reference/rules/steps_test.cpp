#include <gtest/gtest.h>

#include "reference/problem/input_error.hpp"
#include "tests/reference/rules/small_heads.hpp"

namespace deltaproof {
namespace {

using Numbers = std::vector<double>;

HeadInputs kla_head(KlaVariant variant, Position position = Position::one) {
  HeadInputs head = two_token_head(Rule::kla);  // |k|^2 = 5 and 2
  head.options.variant = variant;
  head.options.position = position;
  head.options.eps = 3;
  head.write = matrix_of({{4}, {1.25}});
  return head;
}

TEST(KlaVariants, EachHasItsCoefficient) {
  EXPECT_EQ(make_steps<double>(kla_head(KlaVariant::standard)).b, (Numbers{4. / 8, 1.25 / 5}));
  EXPECT_EQ(make_steps<double>(kla_head(KlaVariant::no_norm)).b, (Numbers{4, 1.25}));
  EXPECT_EQ(make_steps<double>(kla_head(KlaVariant::key_norm_only)).b, (Numbers{1. / 8, 1. / 5}));
  HeadInputs learned = kla_head(KlaVariant::learned_scalar);
  learned.options.c = 2;
  EXPECT_EQ(make_steps<double>(learned).b, (Numbers{4. / 13, 1.25 / 7}));
}

TEST(KlaVariants, KeyNormOnlyNeedsNoGate) {
  HeadInputs head = kla_head(KlaVariant::key_norm_only);
  head.write = Matrix();
  EXPECT_EQ(make_steps<double>(head).b, (Numbers{1. / 8, 1. / 5}));
}

TEST(KlaVariants, SingleGateMakesItsDecayFromEta) {
  HeadInputs head = kla_head(KlaVariant::single_gate);
  head.write = matrix_of({{0.25}, {1}});
  const Steps<double> steps = make_steps<double>(head);
  EXPECT_EQ(steps.decay, Decay::scalar);
  EXPECT_EQ(steps.alpha, (Numbers{0.75, 1e-6}));
  EXPECT_EQ(steps.b, (Numbers{0.25 / 8, 1. / 5}));
}

TEST(KlaVariants, SingleGateClampsAtBothEnds) {
  EXPECT_EQ(kla_single_gate_decay<double>(-0.5), 1);
  EXPECT_EQ(kla_single_gate_decay<double>(0), 1);
  EXPECT_EQ(kla_single_gate_decay<double>(0.5), 0.5);
  EXPECT_EQ(kla_single_gate_decay<double>(2), 1e-6);
  EXPECT_EQ(kla_single_gate_decay<double>(0x1.fffffp-1), 0x1p-21 < 1e-6 ? 1e-6 : 0x1p-21);
}

TEST(KlaVariants, PositionCountsFromOneInItsSequence) {
  HeadInputs head = kla_head(KlaVariant::no_norm, Position::inverse);
  EXPECT_EQ(make_steps<double>(head).b, (Numbers{4, 1.25 / 2}));
  head.first_position = 4;
  EXPECT_EQ(make_steps<double>(head).b, (Numbers{1, 0.25}));
  head.options.position = Position::inverse_sqrt;
  EXPECT_EQ(make_steps<double>(head).b, (Numbers{2, 1.25 / std::sqrt(5.0)}));
  head.options.position = Position::inverse_log;
  EXPECT_EQ(make_steps<double>(head).b, (Numbers{4 / std::log(5.0), 1.25 / std::log(6.0)}));
}

TEST(QkL2Norm, DividesTheRowsThatItNames) {
  HeadInputs head = two_token_head(Rule::linear);
  head.q = matrix_of({{3, 4}, {0, 0}});
  head.k = matrix_of({{3, 0}, {0, -4}});
  head.options.qk_l2norm_eps = 0;
  head.options.qk_l2norm = L2Norm::k;
  EXPECT_EQ(make_steps<double>(head).k, (Numbers{1, 0, 0, -1}));
  EXPECT_EQ(make_steps<double>(head).q, (Numbers{3, 4, 0, 0}));
  head.options.qk_l2norm_eps = 11;  // sqrt(25 + 11) = 6; a zero row stays zero
  head.options.qk_l2norm = L2Norm::q;
  EXPECT_EQ(make_steps<double>(head).q, (Numbers{0.5, 4. / 6, 0, 0}));
  EXPECT_EQ(make_steps<double>(head).k, (Numbers{3, 0, 0, -4}));
  head.options.qk_l2norm = L2Norm::both;
  EXPECT_EQ(make_steps<double>(head).q, (Numbers{0.5, 4. / 6, 0, 0}));
  EXPECT_EQ(make_steps<double>(head).k[0], 3 / std::sqrt(20.0));
}

TEST(QkL2Norm, TheCoefficientSeesTheNormalisedKey) {
  HeadInputs head = kla_head(KlaVariant::standard);
  head.k = matrix_of({{3, 0}, {0, -4}});
  head.options.qk_l2norm = L2Norm::k;
  head.options.qk_l2norm_eps = 0;
  EXPECT_EQ(make_steps<double>(head).b, (Numbers{4. / (1 + 3), 1.25 / (1 + 3)}));
}

TEST(MakeSteps, OptionalDecayMayBeAbsent) {
  HeadInputs head = kla_head(KlaVariant::standard);
  EXPECT_EQ(make_steps<double>(head).decay, Decay::none);
  EXPECT_TRUE(make_steps<double>(head).alpha.empty());
  head.g = matrix_of({{0}, {-0.5}});
  EXPECT_EQ(make_steps<double>(head).decay, Decay::scalar);
  EXPECT_EQ(make_steps<double>(head).alpha, (Numbers{1, std::exp(-0.5)}));
}

std::string refusal(const HeadInputs& head) {
  try {
    make_steps<double>(head);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MakeSteps, RefusesWhatTheRuleCannotUse) {
  EXPECT_EQ(refusal(two_token_head(Rule::softmax)), "rule softmax is outside the update family");
  EXPECT_EQ(refusal(two_token_head(Rule::gsa)), "rule gsa is outside the update family");
  EXPECT_EQ(refusal(two_token_head(Rule::longhorn)), "rule longhorn is outside the update family");
  EXPECT_EQ(refusal(two_token_head(Rule::delta)),
            "rule delta: one head's beta is 0 x 0, needs to be 2 x 1");
  HeadInputs head = two_token_head(Rule::vector_decay);
  head.g = matrix_of({{-1}, {-1}});
  EXPECT_EQ(refusal(head), "rule vector_decay: one head's g is 2 x 1, needs to be 2 x 2");
  head = two_token_head(Rule::linear);
  head.k = matrix_of({{1, 2}});
  EXPECT_EQ(refusal(head), "rule linear: one head's k is 1 x 2, needs to be 2 x 2");
}

}  // namespace
}  // namespace deltaproof
