// Counterexamples to what the HOLA paper leaves open: rules for equal scores, updates, the sink.
#include <gtest/gtest.h>

#include "tests/properties/claims/hola_inputs.hpp"

namespace deltaproof::claims {
namespace {

TEST(HolaConditions, BlocksAndTokensMayKeepAnotherOfTwoEqualScores) {
  const Found found("hola.topw_blocks");
  const Row scores = found.row("scores");
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(found.row("w"), Row{1});
  EXPECT_EQ(found.row("blocks"), (Row{1, 1}));
  EXPECT_EQ(scores[0], scores[1]);
}

TEST(HolaConditions, AScoreOfTheWholeChunkShowsALaterToken) {
  const Found found("hola.causal");
  EXPECT_EQ(found.row("scores").size(), 2U);
  EXPECT_EQ(found.number("chunk"), 2);
}

TEST(HolaConditions, ASinkTakesWeight) {
  const Found found("hola.full_attention_limit");
  ASSERT_EQ(found.row("keys").size(), 1U);
  EXPECT_NE(found.number("values"), 0);  // one entry: attention gives all of it, the sink takes a part
}

TEST(HolaConditions, BetaTimesTheValueDoesNotRankAsBeta) {
  const Found found("hola.gate_ablation");
  const Row v = found.row("v"), beta = found.row("beta");
  ASSERT_EQ(v.size(), 2U);
  EXPECT_NE(beta[1] * v[1] > beta[0] * v[0], beta[1] > beta[0]);
}

}  // namespace
}  // namespace deltaproof::claims
