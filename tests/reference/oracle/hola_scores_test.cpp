// Residuals and scores inside their radii (docs/certificate.md, theorem 9), and rule `hola` on every named family.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "heads.hpp"
#include "properties/regimes/families.hpp"
#include "reference/oracle/hola_sets.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/rules/hola.hpp"
#include "tests/reference/rules/hola_heads.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

double worst(const Matrix& value, const Matrix& radius, const std::vector<Mpfr>& truth) {
  double result = 0;
  for (Index i = 0; i < value.size(); ++i)
    result = std::max(result, ratio(Mpfr(value.data()[i]) - truth[static_cast<std::size_t>(i)], radius.data()[i]));
  return result;
}

std::vector<Mpfr> residual_truth(const HeadInputs& head) {
  const Steps<Mpfr> steps = make_steps<Mpfr>(head);
  std::vector<Mpfr> state = elements<Mpfr>(head.initial_state), o(static_cast<std::size_t>(head.tokens * head.V)), e = o;
  recurrence(steps, state.data(), o.data(),
             [&](Index t, Index first, Index columns, const Mpfr*, Index, const Mpfr* residual, const Mpfr*) {
               for (Index c = 0; c < columns; ++c) e[static_cast<std::size_t>(t * head.V + first + c)] = residual[c];
             });
  return e;
}

class HolaScores : public ::testing::Test {
 protected:
  WorkingPrecision precision{truth_bits};
};

TEST_F(HolaScores, ResidualsAreInsideTheirRadii) {
  std::vector<NamedHead> heads = update_family_heads({}, 71);
  for (NamedHead& edge : edge_heads({}, 72)) heads.push_back(std::move(edge));
  double largest = 0;
  for (const NamedHead& named : heads) {
    SCOPED_TRACE(named.name);
    const std::vector<Mpfr> truth = residual_truth(named.head);
    for (const HeadAnswer& answer : {answer_double(named.head, {.e = true}), answer_mpfr(named.head, {.e = true}, 100),
                                     answer_mpfi(named.head, {.e = true}, 400)}) {
      const double r = worst(answer.e, answer.e_radius, truth);
      EXPECT_LE(r, 1) << answer.route;
      if (answer.route == "double") largest = std::max(largest, r);
    }
  }
  std::printf("residuals in double: largest error/radius %.3f\n", largest);
  EXPECT_GT(64 * largest, 1);
  HeadAnswer wrong = answer_double(heads[3].head, {.e = true});
  wrong.e(7, 2) += 3 * wrong.e_radius(7, 2);
  EXPECT_GT(worst(wrong.e, wrong.e_radius, residual_truth(heads[3].head)), 1);
}

TEST_F(HolaScores, OfRowsAtEveryScale) {
  for (const double size : {0x1p-1060, 0x1p-600, 1.0, 0x1p600, 0x1p1000}) {
    HeadInputs head = hola_head({}, 73);
    head.v *= size;
    head.initial_state *= size;
    for (const CacheScore score : {CacheScore::beta_e, CacheScore::e, CacheScore::beta_v}) {
      head.options.hola.score = score;
      const HeadAnswer state = answer_double(head.state_part(), score_request({}, score));
      const CacheScores scores = cache_scores(head, state);
      EXPECT_LE(worst(scores.score, scores.radius, hola_layer<Mpfr>(head).scores), 1) << size;
      EXPECT_LT(scores.radius.maxCoeff(), size >= 0x1p-600 ? 1e-11 * size : 0x1p-1040) << size;
    }
  }
}

TEST_F(HolaScores, RequestsAskForWhatTheScoreNeeds) {
  EXPECT_TRUE(score_request({}, CacheScore::e).e);
  EXPECT_FALSE(score_request({}, CacheScore::e).u);
  EXPECT_TRUE(score_request({}, CacheScore::beta_e).u && score_request({}, CacheScore::write_norm).u);
  EXPECT_FALSE(score_request({}, CacheScore::recency).u || score_request({}, CacheScore::beta_v).u);
  HeadInputs head = hola_head({}, 74);
  head.options.hola.score = CacheScore::attention;
  EXPECT_THROW(cache_scores(head, HeadAnswer()), InputError);
}

TEST(HolaScoreEnds, AreOutwards) {
  EXPECT_EQ(lowest_score(2, 0), 2);
  EXPECT_EQ(highest_score(2, 0), 2);
  EXPECT_LT(lowest_score(1, 0x1p-60), 1);
  EXPECT_GT(highest_score(1, 0x1p-60), 1);
  EXPECT_EQ(lowest_score(HUGE_VAL, HUGE_VAL), -HUGE_VAL);
  EXPECT_EQ(highest_score(1, HUGE_VAL), HUGE_VAL);
}

// Scores everywhere, sets and o in the blocks whose set is certain.
TEST_F(HolaScores, EveryFamilyIsInsideTheRadii) {
  Index uncertain = 0, blocks = 0;
  for (const Regime& regime : regimes()) {
    SCOPED_TRACE(regime.name);
    const HeadInputs head = regime_head(
        regime, Rule::hola, {.tokens = 48, .K = 8, .V = 3, .initial_state = true, .cache_size = 5, .cache_block = 6}, 75);
    const HolaLayer<Mpfr> truth = hola_layer<Mpfr>(head);
    for (const HeadAnswer& answer : {answer_double(head, {}), answer_mpfr(head, {}, 113), answer_mpfi(head, {}, 400)}) {
      EXPECT_LE(worst(answer.score, answer.score_radius, truth.scores), 1) << answer.route;
      EXPECT_LE(worst(answer.o, answer.o_radius, truth.o), 1) << answer.route;
      for (std::size_t n = 0; n < answer.sets.size(); ++n) {
        if (answer.certain[n]) {
          EXPECT_EQ(answer.sets[n], truth.sets[n]) << answer.route << " block " << n;
        }
        if (answer.route == "double") uncertain += answer.certain[n] ? 0 : 1, ++blocks;
      }
    }
  }
  std::printf("sets not certain in double: %d of %d\n", static_cast<int>(uncertain), static_cast<int>(blocks));
  EXPECT_LT(2 * uncertain, blocks);
}

}  // namespace
}  // namespace deltaproof::testing
