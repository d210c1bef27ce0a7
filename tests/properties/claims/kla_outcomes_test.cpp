#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/properties/claims/kla_ledger.hpp"

// What mathematics, or the printed figures, say of each statement; written down here apart from the checks.
namespace deltaproof::claims {
namespace {

const std::map<Outcome, std::set<std::string>>& expected() {
  static const std::map<Outcome, std::set<std::string>> all{
      {Outcome::holds,
       {"kla.projection",
        "kla.projection-after-channel-decay",
        "kla.projection-by-columns",
        "kla.tangent-orthogonal",
        "kla.projection-zero-key",
        "kla.gradient",
        "kla.line-search-loss",
        "kla.line-search-minimiser",
        "kla.line-search-degenerate",
        "kla.theorem-1",
        "kla.residual-after-write",
        "kla.residual-factor",
        "kla.residual-factor-range",
        "kla.loss-not-increased",
        "kla.forgetting-may-raise-loss",
        "kla.zero-key",
        "kla.small-key-epsilon",
        "kla.gdn-overshoot",
        "kla.worked-example",
        "kla.proximal",
        "kla.proximal-coefficient",
        "kla.proximal-limit",
        "kla.proximal-unique",
        "kla.gdn-two-forms",
        "kla.residual-of-decayed-state",
        "kla.gdn-unit-keys",
        "kla.additive-repeats",
        "kla.interference",
        "kla.orthogonal-keys",
        "kla.query-scale",
        "kla.capacity",
        "kla.orthogonal-recall",
        "kla.chunk-expansion",
        "kla.chunk-effective-write",
        "kla.chunk-unit-triangular",
        "kla.chunk-only-coefficients",
        "kla.cost-linear-chunks",
        "kla.cost-linear-tokens",
        "kla.state-size",
        "kla.training-memory",
        "kla.cost-coefficient",
        "kla.perplexity-drop",
        "kla.perplexity-drop-relative",
        "kla.perplexity-next",
        "kla.perplexity-ranking",
        "kla.long-gap",
        "kla.long-best",
        "kla.long-65k-relative",
        "kla.mqar-256",
        "kla.mqar-1024",
        "kla.mqar-2048",
        "kla.mqar-relative",
        "kla.mqar-length",
        "kla.sniah-8k",
        "kla.sniah-all",
        "kla.palindrome-2048",
        "kla.stack-2048",
        "kla.tasks-mamba2",
        "kla.prefill",
        "kla.prefill-mamba2",
        "kla.decode-ratio",
        "kla.decode-ratio-printed",
        "kla.decode-mamba2",
        "kla.decode-ms-kla",
        "kla.decode-ms-gdn",
        "kla.decode-ms-mamba2",
        "kla.key-norm-accuracy",
        "kla.key-norm-perplexity",
        "kla.scalar-perplexity",
        "kla.ablation-gdn-perplexity",
        "kla.tables-agree",
        "kla.heads",
        "kla.training-budget"}},
      {Outcome::conditional,
       {"kla.scale-free", "kla.proximal-end-point", "kla.chunk-zero-decay", "kla.chunk-query-rows",
        "kla.appendix-product-shape", "kla.chunk-eq-7", "kla.chunk-eq-8", "kla.chunk-eq-9"}},
      {Outcome::refuted,
       {"kla.appendix-product-order", "kla.appendix-mixed-terms", "kla.appendix-gamma", "kla.long-monotone",
        "kla.mqar-points-as-percent", "kla.mqar-best", "kla.tasks-all-better", "kla.decode-from-step-size",
        "kla.decode-state-traffic", "kla.ablation-best", "kla.capacity-perplexity", "kla.capacity-accuracy",
        "kla.capacity-equal", "kla.one-perplexity-curve", "kla.nonorm-coefficient-alone", "kla.nonorm-stable",
        "kla.scalar-gate", "kla.capacity-test"}},
      {Outcome::undecidable,
       {"kla.decode-cause", "kla.validation-and-test", "kla.nonorm-against-gdn", "kla.parameters", "kla.code-keys",
        "kla.perplexity-seeds", "kla.position-decay", "kla.palindrome-512"}},
  };
  return all;
}

class KlaClaim : public testing::TestWithParam<std::string> {};

void expect_whole(const Result& result, const std::string& of) {
  SCOPED_TRACE(of);
  EXPECT_FALSE(result.finding.empty());
  EXPECT_GT(result.cases, 0);
  EXPECT_EQ(result.condition.empty(), result.outcome != Outcome::conditional);
  const bool wants_one = result.outcome == Outcome::refuted || result.outcome == Outcome::conditional;
  ASSERT_EQ(result.counterexample.has_value(), wants_one);
  if (!wants_one) return;
  EXPECT_FALSE(result.counterexample->inputs.empty());
  EXPECT_FALSE(result.counterexample->shows.empty());
}

TEST_P(KlaClaim, HasTheOutcomeThatMathematicsSays) {
  const Result result = kla_claim(GetParam()).check(Effort{});
  for (const auto& [outcome, ids] : expected()) {
    if (!ids.contains(GetParam())) continue;
    EXPECT_EQ(outcome_name(result.outcome), std::string(outcome_name(outcome))) << result.finding;
  }
  expect_whole(result, GetParam());
}

TEST_P(KlaClaim, TellsFalseVariantsFromTrueOnes) {
  const Claim& claim = kla_claim(GetParam());
  int refuted = 0, held = 0;
  for (const Variant& variant : claim.variants) {
    const Result result = variant.check(Effort{});
    EXPECT_EQ(outcome_name(result.outcome), std::string(outcome_name(variant.expected)))
        << variant.statement << ": " << result.finding;
    expect_whole(result, variant.statement);
    ++(variant.expected == Outcome::refuted ? refuted : held);
  }
  EXPECT_GT(refuted, 0) << "no false variant shows that the check can tell";
  const bool false_as_stated = expected().at(Outcome::refuted).contains(GetParam());
  EXPECT_GE(held, false_as_stated ? 1 : 0) << "what holds instead is not shown";
}

TEST_P(KlaClaim, FindsTheSameForTheSameSeedAndOutcomeForAnother) {
  const Claim& claim = kla_claim(GetParam());
  const Result one = claim.check(Effort{}), again = claim.check(Effort{}), other = claim.check(Effort{17});
  EXPECT_EQ(one.finding, again.finding);
  EXPECT_EQ(one.cases, again.cases);
  EXPECT_EQ(one.outcome, other.outcome) << other.finding;
}

TEST_P(KlaClaim, SaysWhereItStandsAndHowItIsChecked) {
  const Claim& claim = kla_claim(GetParam());
  EXPECT_EQ(claim.source.paper, "kla");
  EXPECT_FALSE(claim.source.place.empty());
  EXPECT_FALSE(claim.source.pages.empty());
  EXPECT_FALSE(claim.statement.empty());
  EXPECT_FALSE(claim.method.empty());
}

INSTANTIATE_TEST_SUITE_P(All, KlaClaim, testing::ValuesIn([] {
                           std::vector<std::string> ids;
                           for (const auto& [outcome, some] : expected())
                             ids.insert(ids.end(), some.begin(), some.end());
                           return ids;
                         }()),
                         [](const testing::TestParamInfo<std::string>& each) {
                           std::string name = each.param.substr(4);
                           for (char& c : name) {
                             if (c == '-' || c == '.') c = '_';
                           }
                           return name;
                         });

TEST(KlaClaims, AreAllExpectedHereAndNamedOnce) {
  std::set<std::string> here, there;
  for (const auto& [outcome, ids] : expected()) here.insert(ids.begin(), ids.end());
  for (const Claim& claim : kla_claims()) EXPECT_TRUE(there.insert(claim.id).second) << claim.id << " stands twice";
  EXPECT_EQ(here, there);
}

}  // namespace
}  // namespace deltaproof::claims
