// Counterexamples to statements of the HOLA paper, worked out again from their inputs, without the checks' own
// arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/properties/claims/hola_inputs.hpp"

namespace deltaproof::claims {
namespace {

std::size_t index(const Rational& number) { return static_cast<std::size_t>(numerator(number)); }

TEST(HolaCounterexamples, DecayChangesTheStateBesideTheWrite) {
  const Found found("hola.score_is_change");
  const Rational s = found.number("S"), k = found.number("k"), v = found.number("v"), beta = found.number("beta"),
                 alpha = found.number("alpha");
  const Rational e = v - alpha * s * k, change = alpha * s + beta * k * e - s;
  EXPECT_EQ(k * k, 1);
  EXPECT_LT(alpha, 1);
  EXPECT_NE(change * change, beta * beta * e * e);
}

TEST(HolaCounterexamples, ASmallBetaKeepsTheStateBounded) {
  const Found found("hola.unnormalised_diverges");
  const Rational factor = found.number("alpha") * (1 - found.number("beta") * found.number("d"));
  EXPECT_GT(found.number("beta"), 0);
  EXPECT_LE(factor * factor, 1);
}

TEST(HolaCounterexamples, FewValueChannelsLimitTheRank) {
  const Found found("hola.rank_capacity");
  EXPECT_LT(found.number("dv"), found.number("dk"));
}

TEST(HolaCounterexamples, MorePairsThanChannelsAreReadExactly) {
  const Found found("hola.fact_limit");
  const Row keys = found.row("keys"), values = found.row("values");
  ASSERT_EQ(found.number("dk"), 1);
  ASSERT_GT(keys.size(), 1U);
  EXPECT_EQ(std::set<Rational>(keys.begin(), keys.end()).size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(keys[i] * keys[i], 1);
    EXPECT_EQ(keys[i] * keys[0] * values[0], values[i]);  // S = keys[0] values[0] reads them all
  }
}

/// Two tokens with keys of two channels from an empty state: |e| of each, and what the state gets wrong of each at the
/// end.
struct TwoTokens {
  Rational residual[2], wrong[2];
};

TwoTokens two_tokens(const Found& found) {
  const Row k = found.row("k"), v = found.row("v"), beta = found.row("beta");
  Rational state[2] = {0, 0};
  TwoTokens tokens;
  for (std::size_t t = 0; t < 2; ++t) {
    const Rational e = v[t] - state[0] * k[2 * t] - state[1] * k[2 * t + 1];
    tokens.residual[t] = abs(e);
    for (std::size_t i = 0; i < 2; ++i) state[i] += beta[t] * k[2 * t + i] * e;
  }
  for (std::size_t t = 0; t < 2; ++t)
    tokens.wrong[t] = abs(Rational(v[t] - state[0] * k[2 * t] - state[1] * k[2 * t + 1]));
  return tokens;
}

TEST(HolaCounterexamples, TheGateChangesWhatIsKept) {
  const Found found("hola.residual_alone_ranks");
  const TwoTokens tokens = two_tokens(found);
  const Row beta = found.row("beta");
  const bool by_residual = tokens.residual[1] > tokens.residual[0];
  const bool by_product = beta[1] * tokens.residual[1] > beta[0] * tokens.residual[0];
  EXPECT_NE(by_residual, by_product);
}

TEST(HolaCounterexamples, TheLargestScoreIsNotTheLargestError) {
  const Found found("hola.score_always_optimal");
  const TwoTokens tokens = two_tokens(found);
  const Row beta = found.row("beta");
  const std::size_t kept = beta[1] * tokens.residual[1] > beta[0] * tokens.residual[0] ? 1 : 0;
  // What is not kept is read from the state.
  EXPECT_GT(tokens.wrong[1 - kept], tokens.wrong[kept]);
}

TEST(HolaCounterexamples, EqualScoresLeaveWhoeverComesFirst) {
  const Found found("hola.topw_order");
  const Row scores = found.row("scores"), order = found.row("order");
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(found.number("w"), 1);
  EXPECT_EQ(scores[0], scores[1]);
  EXPECT_EQ(order[0], 1);  // it comes first and stays; by position 0 would
}

TEST(HolaCounterexamples, TheLastTokenNeedNotBeTheBest) {
  const Found found("hola.recency_selects");
  const Row scores = found.row("scores");
  EXPECT_EQ(found.number("w"), 1);
  EXPECT_LT(scores.back(), *std::max_element(scores.begin(), scores.end()));
}

TEST(HolaCounterexamples, TheOrderOfTokensChangesTheState) {
  const Found found("hola.token_order");
  const auto state = [&](const char* first_key, const char* first_value, const char* key,
                         const char* value) -> Rational {
    const Rational k = found.number(key), written = found.number(first_key) * found.number(first_value);
    return found.number("alpha") * written + k * (found.number(value) - found.number("alpha") * written * k);
  };
  EXPECT_NE(state("k1", "v1", "k2", "v2"), state("k2", "v2", "k1", "v1"));
}

TEST(HolaCounterexamples, AScoreOfTheSameChunkEvictsAnEarlierToken) {
  const Found found("hola.chunk_selection_causal");
  const Row scores = found.row("scores");
  const std::size_t chunk = index(found.number("chunk"));
  ASSERT_EQ(found.number("w"), 1);
  ASSERT_EQ(scores.size(), 2 * chunk);
  // The first query of the last chunk: the best of all tokens is an earlier one, until a later score is larger.
  const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
  EXPECT_LT(best, static_cast<std::ptrdiff_t>(chunk));
  Row later = scores;
  later.back() = 9;
  EXPECT_EQ(std::max_element(later.begin(), later.end()) - later.begin(), std::ssize(later) - 1);
}

TEST(HolaCounterexamples, TheChunkIsReadWithoutPersistentEntries) {
  const Found found("hola.no_persistent_entries");
  EXPECT_EQ(found.number("persistent"), 0);
  EXPECT_GT(found.number("lambda"), 0);
  // One entry of positive weight beside a sink that reads 0.
  EXPECT_NE(found.number("values"), 0);
}

TEST(HolaCounterexamples, AReadMixesValues) {
  const Found found("hola.exact_recall");
  const Row keys = found.row("keys"), values = found.row("values");
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0], found.number("q"));
  EXPECT_EQ(keys[1], keys[0]);  // equal weights
  EXPECT_NE((values[0] + values[1]) / 2, values[0]);
}

TEST(HolaCounterexamples, EpsilonAndScalesChangeTheNorm) {
  const Found norm("hola.rmsnorm_norm");
  const Rational q = norm.number("q"), gamma = norm.number("gamma_q");
  ASSERT_EQ(norm.row("q").size(), 1U);
  EXPECT_NE(gamma * gamma * q * q / (q * q + norm.number("eps")), 1);
  for (const char* id : {"hola.rms_logit", "hola.rms_logit_bound"}) {
    const Found found(id);
    ASSERT_EQ(found.row("q").size(), 1U);
    const Rational x = found.number("q") * found.number("gamma_q"), y = found.number("k") * found.number("gamma_k");
    const Rational eps = found.number("eps");
    const Rational logit =
        x * x * y * y / ((found.number("q") * found.number("q") + eps) * (found.number("k") * found.number("k") + eps));
    EXPECT_NE(logit, 1) << id;  // d cos^2 = 1 in one channel
    EXPECT_TRUE(std::string(id) != "hola.rms_logit_bound" || logit > 1);
  }
}

TEST(HolaCounterexamples, AnotherKeyHasTheLargestLogit) {
  const Found found("hola.matching_key");
  ASSERT_EQ(found.row("q").size(), 1U);
  const Rational q = found.number("q"), k = found.number("k"), eps = found.number("eps");
  ASSERT_EQ(found.number("gamma_k"), 1);
  ASSERT_GT(q * k, 0);
  // (q k)^2 / (k^2 + eps) against (q q)^2 / (q^2 + eps); what both logits have in common is left out.
  EXPECT_GT(q * k * q * k / (k * k + eps), q * q * q * q / (q * q + eps));
}

TEST(HolaCounterexamples, EqualLogitsShareTheWeight) {
  const Found found("hola.softmax_range");
  EXPECT_EQ(found.row("other logits"), found.row("logit of the match"));
  EXPECT_LT(Rational(100) / found.number("entries"), Rational(345, 100));
}

TEST(HolaCounterexamples, UnitVectorsStayBelowTheRange) {
  const Found found("hola.unit_logit_range");
  EXPECT_LT(1 / found.number("d"), Rational(825, 1000) * Rational(825, 1000));
}

TEST(HolaCounterexamples, TheExamplesNeedTwoDimensions) {
  const Rational most = Rational(665, 100) / Rational(825, 1000), least = Rational(105, 10);
  EXPECT_LT(most * most, least * least);
  EXPECT_LT(most * most, 256);
  EXPECT_GT(256, Rational(115, 10) * Rational(115, 10));
}

}  // namespace
}  // namespace deltaproof::claims
