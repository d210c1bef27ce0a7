// Theorem 3 of docs/certificate.md: the radii of the double and MPFR answers contain the truth.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "heads.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

constexpr AnswerRequest everything{.every = 1, .trace = true, .u = true};

// Double and MPFR answers of one head held against the truth; returns the ratios of the double
// answer.
Ratios hold_answers_against_truth(const NamedHead& named, bool expect_certified = true) {
  SCOPED_TRACE(named.name);
  const WorkingPrecision precision(truth_bits);
  const Truth truth = update_truth(named.head);
  const HeadAnswer in_double = answer_double(named.head, everything);
  const Ratios ratios = compare(in_double, truth);
  EXPECT_LE(ratios.worst(), 1) << "o " << ratios.o << " state " << ratios.state << " u "
                               << ratios.u;
  EXPECT_TRUE(ratios.certified || !expect_certified);
  for (const int bits : {60, 113, 300}) {
    const Ratios more = compare(answer_mpfr(named.head, everything, bits), truth);
    EXPECT_LE(more.worst(), 1) << bits << " bits: o " << more.o << " state " << more.state << " u "
                               << more.u;
  }
  std::printf("%-34s error/radius: o %.3f state %.3f u %.3f\n", named.name.c_str(), ratios.o,
              ratios.state, ratios.u);
  return ratios;
}

TEST(UpdateCertificate, ContainsTheTruthForEveryRuleAndOption) {
  for (const NamedHead& named : update_family_heads({}, 1)) hold_answers_against_truth(named);
}

TEST(UpdateCertificate, ContainsTheTruthForShapesFromOneToManyColumns) {
  for (const Shape shape :
       {Shape{1, 1, 1}, {5, 1, 3}, {40, 2, 17}, {3, 64, 21}, {256, 8, 5}, {24, 128, 4}})
    for (const Rule rule : {Rule::gated_delta, Rule::kla, Rule::vector_decay_delta, Rule::linear})
      hold_answers_against_truth({std::string(rule_info(rule).name) +
                                      " T=" + std::to_string(shape.tokens) +
                                      " K=" + std::to_string(shape.K),
                                  random_head(rule, shape, 2)});
}

TEST(UpdateCertificate, ContainsTheTruthAtTheEdges) {
  for (const NamedHead& named : edge_heads({.tokens = 60}, 3)) hold_answers_against_truth(named);
}

TEST(UpdateCertificate, ContainsTheTruthWhereKeysAreTinyAndTheirSquaresVanish) {
  // |k|^2 underflows in double: eps keeps b finite; without eps b is beyond the range of double.
  NamedHead named{"keys x -600 bits", random_head(Rule::kla, {}, 4)};
  named.head.k *= 0x1p-600;
  hold_answers_against_truth(named);
  named.name += ", eps = 0";
  named.head.options.eps = 0;
  EXPECT_FALSE(hold_answers_against_truth(named, false).certified);
  named.name = "keys x -508 bits, eps = 0: some squares underflow";
  named.head.k *= 0x1p92;
  hold_answers_against_truth(named, false);
}

// A run is certified in pieces of 128 tokens. Here the state is zero until the last token of the first piece writes
// to it, and the next one takes that away again: with b |k|^2 = 1, lemma 3 charges it gamma_K |s|, of which a dot may
// make use. The test's own numbers are within 2^-40.
TEST(UpdateCertificate, ChargesTheFirstTokenOfAPieceForTheStateThatItFinds) {
  NamedHead named{"state between pieces", random_head(Rule::delta, {.tokens = 129, .K = 32, .V = 2}, 8)};
  HeadInputs& head = named.head;
  head.initial_state.setZero();
  head.v.topRows(127).setZero();
  head.k.row(128) = head.k.row(127);
  head.write.bottomRows(2).setConstant(1 / head.k.row(127).squaredNorm());
  hold_answers_against_truth(named);
  const HeadAnswer answer = answer_double(head, everything);
  const RowVector found = answer.states.at(127).colwise().norm();
  ASSERT_GT(found.minCoeff(), 0);
  EXPECT_TRUE((answer.state_radius.at(128).array() >= 32 * 0x1p-53 * (1 - 0x1p-40) * found.array()).all());
}

TEST(UpdateCertificate, IsInfiniteWhereTheAnswerOverflows) {
  NamedHead named{"beta |k|^2 = 100, T = 256",
                  random_head(Rule::delta, {.tokens = 256, .K = 4, .V = 3}, 5)};
  for (Index t = 1; t < 256; ++t) named.head.k.row(t) = named.head.k.row(0);
  named.head.write.setConstant(100 / named.head.k.row(0).squaredNorm());
  const Ratios ratios = hold_answers_against_truth(named, false);
  EXPECT_FALSE(ratios.certified);
  const HeadAnswer answer = answer_double(named.head, everything);
  for (Index i = 0; i < answer.o.size(); ++i)
    EXPECT_TRUE(std::isfinite(answer.o.data()[i]) || answer.o_radius.data()[i] == HUGE_VAL);
}

TEST(UpdateCertificate, AWrongElementIsOutside) {
  const WorkingPrecision precision(truth_bits);
  const HeadInputs head = random_head(Rule::gated_delta, {}, 6);
  const Truth truth = update_truth(head);
  const HeadAnswer answer = answer_double(head, everything);
  ASSERT_LE(compare(answer, truth).worst(), 1);
  HeadAnswer wrong = answer;
  wrong.o(7, 2) += 3 * wrong.o_radius(7, 2);
  EXPECT_GT(compare(wrong, truth).o, 1);
  wrong = answer;
  wrong.states[9](3, 1) -= 3 * wrong.state_radius[9][1];
  EXPECT_GT(compare(wrong, truth).state, 1);
  wrong = answer;
  wrong.u(4, 0) += 3 * wrong.u_radius(4, 0);
  EXPECT_GT(compare(wrong, truth).u, 1);
}

TEST(UpdateCertificate, IsNotAbsurdlyLoose) {
  // A 64th of it is violated, in each of o, state and u: radii within a factor of 64 of true
  // errors.
  const WorkingPrecision precision(truth_bits);
  Ratios worst;
  for (const Rule rule : {Rule::gated_delta, Rule::delta, Rule::linear})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const HeadInputs head = random_head(rule, {.tokens = 8, .K = 2, .V = 8}, seed);
      const Ratios ratios = compare(answer_double(head, everything), update_truth(head));
      worst = {std::max(worst.o, ratios.o), std::max(worst.state, ratios.state),
               std::max(worst.u, ratios.u)};
    }
  std::printf("largest error/radius: o %.3f state %.3f u %.3f\n", worst.o, worst.state, worst.u);
  EXPECT_GT(64 * worst.o, 1);
  EXPECT_GT(64 * worst.state, 1);
  EXPECT_GT(64 * worst.u, 1);
  EXPECT_LE(worst.worst(), 1);
}

TEST(UpdateCertificate, TraceBoundsTheExactNorms) {
  const WorkingPrecision precision(truth_bits);
  const HeadInputs head = random_head(Rule::kla, {}, 7);
  const Truth truth = update_truth(head);
  const NormTrace trace = answer_double(head, everything).trace;
  for (Index t = 0; t < head.tokens; ++t)
    for (Index c = 0; c < head.V; ++c) {
      Mpfr sum(0);
      for (Index i = 0; i < head.K; ++i) {
        const Mpfr x =
            truth.states[static_cast<std::size_t>(t)][static_cast<std::size_t>(i * head.V + c)];
        sum += x * x;
      }
      EXPECT_GE(Mpfr(trace.state(t, c)), sqrt(sum));
      EXPECT_GE(Mpfr(trace.w(t, c)), abs(truth.u[static_cast<std::size_t>(t * head.V + c)]));
    }
}

TEST(UpdateCertificate, KeepsTheStatesAskedFor) {
  const HeadInputs head = random_head(Rule::gated_delta, {.tokens = 10}, 8);
  const HeadAnswer answer = answer_double(head, {.every = 4});
  EXPECT_EQ(answer.boundaries, (std::vector<Index>{4, 8, 10}));
  EXPECT_EQ(answer_double(head, {.every = 5}).boundaries, (std::vector<Index>{5, 10}));
  EXPECT_EQ(answer_double(head, {}).boundaries, (std::vector<Index>{10}));
  for (std::size_t n = 0; n < 3; ++n) {
    HeadInputs prefix = head;
    prefix.tokens = answer.boundaries[n];
    prefix.q.conservativeResize(prefix.tokens, Eigen::NoChange);
    prefix.k.conservativeResize(prefix.tokens, Eigen::NoChange);
    prefix.v.conservativeResize(prefix.tokens, Eigen::NoChange);
    prefix.g.conservativeResize(prefix.tokens, Eigen::NoChange);
    prefix.write.conservativeResize(prefix.tokens, Eigen::NoChange);
    EXPECT_EQ(answer_double(prefix, {}).states.back(), answer.states[n]);
  }
}

TEST(UpdateCertificate, AnEmptySequenceKeepsItsInitialState) {
  const HeadInputs head = random_head(Rule::gated_delta, {.tokens = 0}, 9);
  for (const HeadAnswer& answer :
       {answer_double(head, everything), answer_mpfr(head, everything, 113)}) {
    ASSERT_EQ(answer.states.size(), 1U);
    EXPECT_EQ(answer.states[0], head.initial_state);
    EXPECT_EQ(answer.state_radius[0], RowVector::Zero(head.V));
    EXPECT_EQ(answer.o.rows(), 0);
  }
}

}  // namespace
}  // namespace deltaproof::testing
