// Rule `hola` by every route, inside its radii (docs/certificate.md, theorems 9 and 10).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "heads.hpp"
#include "reference/oracle/hola_answer.hpp"
#include "reference/rules/hola.hpp"
#include "tests/reference/rules/hola_heads.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

using enum CacheScore;

double worst_ratio(const Matrix& value, const Matrix& radius, const std::vector<Mpfr>& truth) {
  double worst = 0;
  for (Index i = 0; i < value.size(); ++i)
    worst = std::max(worst, ratio(Mpfr(value.data()[i]) - truth[static_cast<std::size_t>(i)], radius.data()[i]));
  return worst;
}

std::vector<NamedHead> hola_heads() {
  std::vector<NamedHead> heads;
  const auto add = [&](std::string name, HeadInputs head) -> HeadInputs& {
    heads.push_back({std::move(name), std::move(head)});
    return heads.back().head;
  };
  for (const Rule rule : {Rule::gated_delta, Rule::kla})
    for (const auto& [name, read] : {std::pair{"rmsnorm", CacheRead::rmsnorm}, {"l2", CacheRead::l2}})
      for (const CacheScore score : {beta_e, write_norm, e, beta_v, recency, attention}) {
        HeadInputs& head = add(std::string(rule_info(rule).name) + " " + name + " score " +
                                   std::to_string(static_cast<int>(score)), hola_head({}, 41, rule));
        head.options.hola.read = read;
        head.options.hola.score = score;
        head.options.qk_l2norm = read == CacheRead::l2 ? L2Norm::both : L2Norm::q;
      }
  for (const HolaShape shape : {HolaShape{1, 1, 1, 1, 1}, {40, 3, 4, 0, 8}, {30, 16, 6, 40, 7}, {50, 64, 5, 8, 16}})
    add("T=" + std::to_string(shape.tokens) + " w=" + std::to_string(shape.w), hola_head(shape, 42));
  for (const double size : {0x1p-300, 0x1p-20, 0x1p6}) {
    HeadInputs& head = add("k x 2^" + std::to_string(std::ilogb(size)), hola_head({}, 43));
    head.k *= size;
    head.options.hola.score = write_norm;
  }
  for (const double size : {0x1p500, 0x1p-1000}) {
    HeadInputs& head = add("v x 2^" + std::to_string(std::ilogb(size)), hola_head({}, 44));
    head.v *= size;
    head.initial_state *= size;
  }
  HeadInputs& zeros = add("zero keys", hola_head({}, 45));
  for (Index t = 0; t < 24; t += 3) zeros.k.row(t).setZero();
  add("sharp", hola_head({}, 46)).options.hola.tau = 40;
  for (const double gate : {-800.0, -740.0, -4.0, 30.0}) {
    add("gate " + std::to_string(gate), hola_head({}, 47)).cache_gate = gate;
  }
  for (const double sink : {-50.0, 300.0}) add("sink " + std::to_string(sink), hola_head({}, 48)).sink = sink;
  return heads;
}

class HolaAnswer : public ::testing::Test {
 protected:
  WorkingPrecision precision{truth_bits};

  struct Largest {
    double o, score;  ///< error / radius
  };
  // Sets, scores and o of an answer against the truth.
  Largest hold(const HeadAnswer& answer, const HolaLayer<Mpfr>& truth) {
    EXPECT_TRUE(answer.o_radius.allFinite() && answer.score_radius.allFinite());
    EXPECT_FALSE(sets_undecided(answer));
    EXPECT_EQ(answer.sets, truth.sets);
    const double o = worst_ratio(answer.o, answer.o_radius, truth.o);
    const double score = worst_ratio(answer.score, answer.score_radius, truth.scores);
    const double state = worst_ratio(answer.states.back(),
                                     answer.state_radius.back().replicate(answer.states.back().rows(), 1), truth.state);
    EXPECT_LE(o, 1);
    EXPECT_LE(score, 1);
    EXPECT_LE(state, 1);
    return {o, score};
  }
};

TEST_F(HolaAnswer, RadiiContainTheTruthOnEveryRoute) {
  for (const NamedHead& named : hola_heads()) {
    SCOPED_TRACE(named.name);
    const HolaLayer<Mpfr> truth = hola_layer<Mpfr>(named.head);
    const Largest in_double = hold(answer_double(named.head, {}), truth);
    for (const int bits : {60, 113, 300}) {
      SCOPED_TRACE(bits);
      hold(answer_mpfr(named.head, {}, bits), truth);
    }
    hold(answer_mpfi(named.head, {}, 300), truth);
    std::printf("%-32s error/radius: o %.3f score %.3f\n", named.name.c_str(), in_double.o, in_double.score);
  }
}

TEST_F(HolaAnswer, AWrongElementIsOutside) {
  for (const CacheScore score : {beta_e, write_norm, e, beta_v, attention}) {
    HeadInputs head = hola_head({}, 49);
    head.options.hola.score = score;
    head.options.qk_l2norm = L2Norm::both;
    const HolaLayer<Mpfr> truth = hola_layer<Mpfr>(head);
    HeadAnswer answer = answer_double(head, {});
    ASSERT_LE(worst_ratio(answer.o, answer.o_radius, truth.o), 1);
    answer.o(5, 1) += 3 * answer.o_radius(5, 1);
    EXPECT_GT(worst_ratio(answer.o, answer.o_radius, truth.o), 1);
    answer.score(5, 0) += answer.score_radius(5, 0) == 0 ? 0x1p-50 : 3 * answer.score_radius(5, 0);
    EXPECT_GT(worst_ratio(answer.score, answer.score_radius, truth.scores), 1);
  }
}

TEST_F(HolaAnswer, IsNotAbsurdlyLoose) {
  double o = 0, score = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    HeadInputs head = hola_head({6, 2, 4, 3, 2}, seed);
    head.cache_gate = 30;
    const HolaLayer<Mpfr> truth = hola_layer<Mpfr>(head);
    const HeadAnswer answer = answer_double(head, {});
    o = std::max(o, worst_ratio(answer.o, answer.o_radius, truth.o));
    score = std::max(score, worst_ratio(answer.score, answer.score_radius, truth.scores));
  }
  std::printf("largest error/radius: o %.3f score %.3f\n", o, score);
  EXPECT_GT(64 * o, 1);
  EXPECT_GT(64 * score, 1);
}

// Tokens from P on are edited, P inside and across blocks, T below and above w: scores, sets and outputs before P keep
// their bits.
TEST_F(HolaAnswer, IsCausalToTheBit) {
  for (const HolaShape shape : {HolaShape{24, 6, 3, 5, 4}, {10, 6, 3, 30, 4}, {13, 6, 3, 0, 5}})
    for (const CacheScore score : {beta_e, write_norm, attention})
      for (const Index from : {1, 4, 7, 8, 9}) {
        HeadInputs head = hola_head(shape, 50);
        head.options.hola.score = score;
        const HeadAnswer before = answer_double(head, {});
        for (Matrix* m : {&head.q, &head.k, &head.v, &head.write})
          m->bottomRows(shape.tokens - from) *= 3;
        const HeadAnswer after = answer_double(head, {});
        EXPECT_EQ(before.o.topRows(from), after.o.topRows(from)) << from;
        EXPECT_EQ(before.o_radius.topRows(from), after.o_radius.topRows(from)) << from;
        EXPECT_NE(before.o, after.o);
        if (score != attention) {
          EXPECT_EQ(before.score.topRows(from), after.score.topRows(from)) << from;
        }
        for (Index n = 0; n * shape.block < from; ++n)
          EXPECT_EQ(before.sets[static_cast<std::size_t>(n)], after.sets[static_cast<std::size_t>(n)]) << n;
      }
}

TEST_F(HolaAnswer, AClosedGateIsTheStatesAnswerToTheBit) {
  for (const Rule rule : {Rule::gated_delta, Rule::kla}) {
    HeadInputs head = hola_head({}, 51, rule);
    head.cache_gate = -1000;
    const HeadAnswer answer = answer_double(head, {.every = 5}), state = answer_double(head.state_part(), {.every = 5});
    EXPECT_EQ(answer.o, state.o);
    EXPECT_EQ(answer.boundaries, state.boundaries);
    EXPECT_EQ(answer.states, state.states);
    head.cache_gate = -4;
    EXPECT_NE(answer_double(head, {}).o, state.o);
  }
}

TEST_F(HolaAnswer, GivesWhatWasAskedFor) {
  const HeadInputs head = hola_head({}, 52);
  const HeadAnswer without = answer_double(head, {}), with = answer_double(head, {.u = true, .e = true});
  EXPECT_EQ(without.u.size(), 0);
  EXPECT_EQ(with.u, answer_double(head.state_part(), {.u = true}).u);
  EXPECT_EQ(with.e.rows(), 24);
  EXPECT_EQ(without.o, with.o);
}

TEST_F(HolaAnswer, RecencyIsExact) {
  HeadInputs head = hola_head({}, 53);
  head.options.hola.score = recency;
  const HeadAnswer answer = answer_double(head, {});
  EXPECT_EQ(answer.score_radius.maxCoeff(), 0);
  for (Index n = 0; n < 6; ++n) {
    const std::vector<Index>& set = answer.sets[static_cast<std::size_t>(n)];
    EXPECT_EQ(static_cast<Index>(set.size()), std::min<Index>(5, 4 * n));
    for (std::size_t i = 0; i < set.size(); ++i) EXPECT_EQ(set[set.size() - 1 - i], 4 * n - 1 - static_cast<Index>(i));
  }
}

// A state that double cannot hold: nothing is certified, nothing is thrown.
TEST_F(HolaAnswer, IsNotCertifiedWhereTheStateOverflows) {
  HeadInputs head = hola_head({}, 54);
  head.v *= 0x1p1000;
  head.write.setConstant(0x1p100);
  const HeadAnswer answer = answer_double(head, {});
  EXPECT_FALSE(answer.o_radius.allFinite());
  EXPECT_TRUE(sets_undecided(answer));
  head = hola_head({}, 55);
  head.q *= 0x1p60;
  head.options.hola.read_eps = 0x1p-1000;
  head.options.hola.tau = 0x1p60;  // logits near 2^60: no digit of a weight is right in double
  EXPECT_FALSE(answer_double(head, {}).o_radius.allFinite());
}

}  // namespace
}  // namespace deltaproof::testing
