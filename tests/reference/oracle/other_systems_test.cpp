// Theorems 6 to 8 of docs/certificate.md: longhorn, softmax and gated slots.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "heads.hpp"
#include "reference/rules/gsa.hpp"
#include "reference/rules/longhorn.hpp"
#include "reference/rules/softmax.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

/// Truth of one head: o, and the final state (gsa: slot keys), slot values.
struct SystemTruth {
  std::vector<Mpfr> o, state, values;
};

SystemTruth truth_of(const HeadInputs& head) {
  SystemTruth truth;
  truth.o.resize(static_cast<std::size_t>(head.tokens * head.V));
  truth.state = elements<Mpfr>(head.initial_state);
  truth.values = elements<Mpfr>(head.initial_slot_values);
  if (head.options.rule == Rule::longhorn) {
    longhorn(head, truth.state.data(), truth.o.data(), [](Index, const Mpfr*) {});
  } else if (head.options.rule == Rule::softmax) {
    softmax_attention(head, truth.o.data(), [](Index, const auto&, const auto&) {});
  } else {
    gated_slots(head, truth.state.data(), truth.values.data(), truth.o.data(),
                [](Index, auto...) {});
  }
  return truth;
}

double worst_ratio(const Matrix& value, const Matrix& radius, const std::vector<Mpfr>& truth) {
  double worst = 0;
  for (Index i = 0; i < value.size(); ++i)
    worst = std::max(
        worst, ratio(Mpfr(value.data()[i]) - truth[static_cast<std::size_t>(i)], radius.data()[i]));
  return worst;
}

Matrix every_row(const RowVector& radius, const Matrix& like) {
  return radius.replicate(like.rows(), 1);
}

double worst_ratio(const HeadAnswer& answer, const SystemTruth& truth) {
  double worst = worst_ratio(answer.o, answer.o_radius, truth.o);
  if (!answer.states.empty())
    worst = std::max(worst, worst_ratio(answer.states.back(),
                                        every_row(answer.state_radius.back(), answer.states.back()),
                                        truth.state));
  if (!answer.slot_values.empty())
    worst = std::max(
        worst, worst_ratio(answer.slot_values.back(),
                           every_row(answer.slot_values_radius.back(), answer.slot_values.back()),
                           truth.values));
  return worst;
}

std::vector<NamedHead> system_heads() {
  std::vector<NamedHead> heads;
  for (const Rule rule : {Rule::longhorn, Rule::softmax, Rule::gsa}) {
    const std::string name(rule_info(rule).name);
    for (const Shape shape : {Shape{40, 16, 6}, {1, 1, 1}, {128, 3, 4}, {12, 128, 3}})
      heads.push_back(
          {name + " T=" + std::to_string(shape.tokens) + " K=" + std::to_string(shape.K),
           random_head(rule, shape, 21)});
    for (const L2Norm norm : {L2Norm::q, L2Norm::k, L2Norm::both}) {
      heads.push_back({name + " l2norm", random_head(rule, {}, 22)});
      heads.back().head.options.qk_l2norm = norm;
    }
    heads.push_back({name + " zero keys", random_head(rule, {}, 23)});
    for (Index t = 0; t < 32; t += 2) heads.back().head.k.row(t).setZero();
    for (const double size : {0x1p-300, 0x1p6}) {
      heads.push_back(
          {name + " keys x 2^" + std::to_string(std::ilogb(size)), random_head(rule, {}, 24)});
      heads.back().head.k *= size;
    }
    for (const double size : {0x1p500, 0x1p-1060}) {
      heads.push_back(
          {name + " v x 2^" + std::to_string(std::ilogb(size)), random_head(rule, {}, 25)});
      heads.back().head.v *= size;
    }
  }
  heads.push_back({"longhorn beta |k|^2 = -7/8", random_head(Rule::longhorn, {32, 1, 2}, 31)});
  HeadInputs& negative = heads.back().head;  // d |k|^2 = -7: each token makes the state 8 times as large
  for (Index t = 0; t < negative.tokens; ++t)
    negative.write.row(t).setConstant(-0.875 / negative.k.row(t).squaredNorm());
  for (const double sink : {0.0, -5.0, 800.0}) {
    heads.push_back({"softmax sink " + std::to_string(sink), random_head(Rule::softmax, {}, 26)});
    heads.back().head.sink = sink;
  }
  return heads;
}

class OtherSystems : public ::testing::Test {
 protected:
  WorkingPrecision precision{truth_bits};
};

TEST_F(OtherSystems, RadiiContainTheTruth) {
  for (const NamedHead& named : system_heads()) {
    SCOPED_TRACE(named.name);
    const SystemTruth truth = truth_of(named.head);
    const HeadAnswer in_double = answer_double(named.head, {});
    const double ratio = worst_ratio(in_double, truth);
    EXPECT_LE(ratio, 1);
    EXPECT_TRUE(in_double.o_radius.allFinite());
    for (const int bits : {60, 113, 300}) {
      const HeadAnswer answer = answer_mpfr(named.head, {}, bits);
      EXPECT_LE(worst_ratio(answer, truth), 1) << bits;
      EXPECT_TRUE(answer.o_radius.allFinite()) << bits;
    }
    const HeadAnswer interval = answer_mpfi(named.head, {}, 300);
    EXPECT_LE(worst_ratio(interval, truth), 1);
    EXPECT_TRUE(interval.o_radius.allFinite());
    std::printf("%-28s error/radius %.3f\n", named.name.c_str(), ratio);
  }
}

TEST_F(OtherSystems, AWrongElementIsOutside) {
  for (const Rule rule : {Rule::longhorn, Rule::softmax, Rule::gsa}) {
    const HeadInputs head = random_head(rule, {}, 27);
    const SystemTruth truth = truth_of(head);
    HeadAnswer answer = answer_double(head, {});
    ASSERT_LE(worst_ratio(answer, truth), 1);
    answer.o(5, 1) += 3 * answer.o_radius(5, 1);
    EXPECT_GT(worst_ratio(answer, truth), 1) << rule_info(rule).name;
    if (rule == Rule::softmax) continue;
    answer = answer_double(head, {});
    answer.states.back()(1, 2) += 3 * answer.state_radius.back()[2];
    EXPECT_GT(worst_ratio(answer, truth), 1) << rule_info(rule).name;
    if (rule != Rule::gsa) continue;
    answer = answer_double(head, {});
    answer.slot_values.back()(1, 2) += 3 * answer.slot_values_radius.back()[2];
    EXPECT_GT(worst_ratio(answer, truth), 1);
  }
}

TEST_F(OtherSystems, AreNotAbsurdlyLoose) {
  for (const Rule rule : {Rule::longhorn, Rule::softmax, Rule::gsa}) {
    double worst = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const HeadInputs head = random_head(rule, {.tokens = 6, .K = 2, .V = 8}, seed);
      worst = std::max(worst, worst_ratio(answer_double(head, {}), truth_of(head)));
    }
    std::printf("%s: largest error/radius %.3f\n", std::string(rule_info(rule).name).c_str(),
                worst);
    EXPECT_GT(64 * worst, 1) << rule_info(rule).name;
  }
}

TEST_F(OtherSystems, AreNotCertifiedBeyondWhatCanBeBounded) {
  HeadInputs head = random_head(Rule::softmax, {}, 28);
  head.q *= 0x1p60;  // logits near 2^60: no digit of a weight is right in double
  EXPECT_FALSE(answer_double(head, {}).o_radius.bottomRows(31).allFinite());
  head = random_head(Rule::longhorn, {}, 29);
  head.k *= 0x1p600;  // |k|^2 overflows: d would silently be zero
  EXPECT_EQ(answer_double(head, {}).o_radius.minCoeff(), HUGE_VAL);
}

// beta |k|^2 overflows in double, where the certificate reads d at any precision of the run.
TEST_F(OtherSystems, LonghornIsNotCertifiedWhereDoubleHasNoCoefficient) {
  HeadInputs head = random_head(Rule::longhorn, {}, 30);
  head.k *= 0x1p300;
  head.write.setConstant(0x1p600);
  EXPECT_EQ(answer_mpfr(head, {}, 113).o_radius.minCoeff(), HUGE_VAL);
}

}  // namespace
}  // namespace deltaproof::testing
