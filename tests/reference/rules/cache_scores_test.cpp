#include <gtest/gtest.h>

#include "reference/rules/hola.hpp"
#include "tests/reference/rules/hola_heads.hpp"
#include "tests/reference/rules/small_heads.hpp"

namespace deltaproof {
namespace {

using enum CacheScore;

template <Scalar R>
std::vector<R> scores_of(HeadInputs head, CacheScore score) {
  head.options.hola.score = score;
  return hola_layer<R>(head).scores;
}

// e_1 = 7 - (2 + 8) = -3, b_1 = 1/2: S_1 = (1/2, 1); e_2 = 5 - 3/2 = 7/2, b_2 = 1/4.
HeadInputs two_writes() {
  HeadInputs head = two_token_head(Rule::hola);
  head.options.hola.cache_block = 1;
  head.g = matrix_of({{0}, {0}});
  head.write = matrix_of({{0.5}, {0.25}});
  head.gamma_q = head.gamma_k = matrix_of({{1, 1}});
  head.sink = 0.0;
  return head;
}

TEST(CacheScores, HandComputed) {
  using Numbers = std::vector<double>;
  const HeadInputs head = two_writes();
  EXPECT_EQ(scores_of<double>(head, beta_e), (Numbers{1.5, 0.875}));
  EXPECT_EQ(scores_of<double>(head, write_norm), (Numbers{1.5 * std::sqrt(5), 0.875 * std::sqrt(2)}));
  EXPECT_EQ(scores_of<double>(head, e), (Numbers{3, 3.5}));
  EXPECT_EQ(scores_of<double>(head, beta_v), (Numbers{3.5, 1.25}));
  EXPECT_EQ(scores_of<double>(head, recency), (Numbers{0, 1}));
}

// With decay 1/2: S~_1 = (1, 2), e_1 = 7 - 5 = 2. The undecayed state would give -3.
TEST(CacheScores, TheResidualIsAgainstTheDecayedState) {
  const WorkingPrecision precision(128);
  HeadInputs head = two_writes();
  head.g(0, 0) = -std::log(2.0);
  const Interval score = scores_of<Interval>(head, e)[0];
  EXPECT_NEAR(to_double(score), 2, 0x1p-50);
  EXPECT_LT(upper(score), 3);
}

TEST(CacheScores, KlaScoresWithItsOwnCoefficient) {
  HeadInputs head = two_writes();
  head.options.hola.state_rule = Rule::kla;
  head.options.eps = 1;  // b_1 = (1/2) / (5 + 1)
  EXPECT_DOUBLE_EQ(scores_of<double>(head, beta_e)[0], 0.25);
  EXPECT_DOUBLE_EQ(scores_of<double>(head, beta_v)[0], 7.0 / 12);
}

TEST(CacheScores, NormalisedKeysAreTheOnesWritten) {
  const WorkingPrecision precision(128);
  HeadInputs head = two_writes();
  head.options.qk_l2norm = L2Norm::both;
  head.options.qk_l2norm_eps = 0;
  const auto norm = scores_of<Interval>(head, write_norm), beta = scores_of<Interval>(head, beta_e);
  for (std::size_t t = 0; t < 2; ++t) EXPECT_TRUE(intersect(norm[t], beta[t])) << "|k| = 1";
}

// |b k e^T|_F = |b| |k| |e|, the change of the state.
TEST(CacheScores, TheWriteNormIsTheChangeOfTheState) {
  const WorkingPrecision precision(200);
  for (const Rule rule : {Rule::gated_delta, Rule::kla}) {
    const HeadInputs head = hola_head({}, 3, rule);
    const Steps<Interval> steps = make_steps<Interval>(head.state_part());
    std::vector<Interval> state = elements<Interval>(head.initial_state), o(static_cast<std::size_t>(24 * 3));
    std::vector<Interval> squares(24, Interval(0)), before = state;
    // Columns come one after the other, so each keeps its own state of before.
    const auto observer = [&](Index t, Index first, Index columns, const Interval* S, Index stride, const Interval*,
                              const Interval*) {
      for (Index c = 0; c < columns; ++c)
        for (Index i = 0; i < head.K; ++i) {
          Interval& old = before[static_cast<std::size_t>(i * head.V + first + c)];
          const Interval change = S[i * stride + c] - steps.alpha[static_cast<std::size_t>(t)] * old;
          squares[static_cast<std::size_t>(t)] += change * change;
          old = S[i * stride + c];
        }
    };
    recurrence(steps, state.data(), o.data(), observer);
    const std::vector<Interval> scores = scores_of<Interval>(head, write_norm);
    for (std::size_t t = 0; t < 24; ++t) {
      EXPECT_TRUE(intersect(scores[t], sqrt(squares[t]))) << t;
      EXPECT_LT(upper(scores[t]) - lower(scores[t]), 0x1p-40);
    }
    EXPECT_FALSE(intersect(scores_of<Interval>(head, beta_e)[0], sqrt(squares[0]))) << "|k| is not 1";
  }
}

TEST(CacheScores, AreFixedWhenTheTokenIsWritten) {
  for (const CacheScore score : {beta_e, write_norm, e, beta_v, recency}) {
    HeadInputs head = hola_head({}, 4);
    const std::vector<double> before = scores_of<double>(head, score);
    head.k.bottomRows(10).setConstant(3);
    head.v.bottomRows(10).setConstant(-2);
    head.write.bottomRows(10).setConstant(0.5);
    head.g.bottomRows(10).setConstant(-1);
    const std::vector<double> after = scores_of<double>(head, score);
    for (std::size_t t = 0; t < 14; ++t) EXPECT_EQ(before[t], after[t]) << t;
    EXPECT_EQ(before[14] == after[14], score == recency);
  }
}

// All scores are exactly 1, so that the tie rule alone decides: the first w stay, at every t.
TEST(CacheScores, TiesAreDecidedByTheRuleAtEveryToken) {
  constexpr Index w = 6;
  for (const Index tokens : {w - 1, w, w + 1, 2 * w})
    for (const CacheScore score : {beta_e, write_norm, e, beta_v}) {
      HeadInputs head = tied_head(tokens, w, 1);
      head.options.hola.score = score;
      const HolaLayer<double> layer = hola_layer<double>(head);
      EXPECT_EQ(layer.scores, std::vector<double>(static_cast<std::size_t>(tokens), 1.0));
      for (Index n = 0; n < tokens; ++n)
        EXPECT_EQ(layer.sets[static_cast<std::size_t>(n)], first_tokens(std::min(n, w))) << tokens << " " << n;
    }
}

TEST(CacheScores, AttentionIsNotOneOfThem) {
  EXPECT_THROW(cache_score(attention, ScoreParts<double>(), 0, 1, 1), InputError);
}

}  // namespace
}  // namespace deltaproof
