// What the audit says of each statement of the HOLA paper.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tests/properties/claims/hola_ledger.hpp"

namespace deltaproof::claims {
namespace {

constexpr Outcome holds = Outcome::holds, conditional = Outcome::conditional, refuted = Outcome::refuted,
                  undecidable = Outcome::undecidable;

const std::map<std::string, Outcome>& expected() {
  static const std::map<std::string, Outcome> outcomes{
      {"hola.write_norm", holds},
      {"hola.write_score", holds},
      {"hola.score_is_change", conditional},
      {"hola.total_change", holds},
      {"hola.score_example", holds},
      {"hola.gdn_expansion", holds},
      {"hola.repeated_write", holds},
      {"hola.residual_shrinks", holds},
      {"hola.interference", holds},
      {"hola.eigenvalue", holds},
      {"hola.eigenvalue_unit_keys", holds},
      {"hola.eigenvalue_example", holds},
      {"hola.unnormalised_diverges", refuted},
      {"hola.rank_bound", holds},
      {"hola.rank_capacity", conditional},
      {"hola.fact_limit", refuted},
      {"hola.residual_alone_ranks", refuted},
      {"hola.gate_ablation", refuted},
      {"hola.score_always_optimal", refuted},
      {"hola.topw_blocks", conditional},
      {"hola.topw_order", conditional},
      {"hola.persistent_size", holds},
      {"hola.long_occupancy", holds},
      {"hola.recency_selects", refuted},
      {"hola.token_order", refuted},
      {"hola.causal", conditional},
      {"hola.chunk_selection_causal", refuted},
      {"hola.visible_bound", holds},
      {"hola.visible_321", holds},
      {"hola.kernel_regression", holds},
      {"hola.full_attention_limit", conditional},
      {"hola.closed_gate", holds},
      {"hola.no_persistent_entries", conditional},
      {"hola.exact_recall", refuted},
      {"hola.rmsnorm_norm", conditional},
      {"hola.rms_logit", conditional},
      {"hola.rms_logit_bound", conditional},
      {"hola.unit_logit_bound", holds},
      {"hola.matching_key", conditional},
      {"hola.softmax_example", holds},
      {"hola.softmax_range", conditional},
      {"hola.logit_dimension", holds},
      {"hola.norm_dimension", holds},
      {"hola.examples_one_dimension", refuted},
      {"hola.examples_main_model", refuted},
      {"hola.unit_logit_range", refuted},
      {"hola.parameters", holds},
      {"hola.parameter_share", holds},
      {"hola.temperatures", holds},
      {"hola.cache_bytes", holds},
      {"hola.cache_mib", holds},
      {"hola.peak_memory", conditional},
      {"hola.peak_difference", holds},
      {"hola.head_width", holds},
      {"hola.bounded_memory", holds},
      {"hola.linear_reads", holds},
      {"hola.wiki_gain", holds},
      {"hola.wiki_percent", holds},
      {"hola.borrowed_anchor", refuted},
      {"hola.lambada_gain", holds},
      {"hola.lambada_percent", holds},
      {"hola.fda_gain", holds},
      {"hola.fda_percent", holds},
      {"hola.swde_gain", holds},
      {"hola.swde_percent", holds},
      {"hola.common_sense_gain", holds},
      {"hola.squad", holds},
      {"hola.boolq", conditional},
      {"hola.nine_tasks", refuted},
      {"hola.best_perplexity", holds},
      {"hola.best_common_sense", refuted},
      {"hola.best_extraction", holds},
      {"hola.extraction_below_attention", refuted},
      {"hola.cache_always_helps", refuted},
      {"hola.recall_32k", holds},
      {"hola.recall_32k_recency", holds},
      {"hola.recall_16k", holds},
      {"hola.sixteen_times", holds},
      {"hola.recall_falls", holds},
      {"hola.near_perfect", refuted},
      {"hola.attention_zero", holds},
      {"hola.attention_positions", refuted},
      {"hola.every_cell", refuted},
      {"hola.attention_ceiling", refuted},
      {"hola.curve_and_table", holds},
      {"hola.bar_heights", refuted},
      {"hola.scale_46m", holds},
      {"hola.scale_170m", holds},
      {"hola.scale_340m", holds},
      {"hola.scale_alone", refuted},
      {"hola.depth_and_width", holds},
      {"hola.anchor_46m", refuted},
      {"hola.recency_gain", holds},
      {"hola.recency_percent", holds},
      {"hola.selection_share", refuted},
      {"hola.best_rule", holds},
      {"hola.residual_alone", holds},
      {"hola.score_perplexity", refuted},
      {"hola.read_gain", holds},
      {"hola.read_share", holds},
      {"hola.eight_keys", holds},
      {"hola.sixteen_keys", refuted},
      {"hola.read_every_column", holds},
      {"hola.speed", undecidable},
      {"hola.score_optimal", undecidable},
      {"hola.learned_eviction", undecidable},
      {"hola.long_attention", undecidable},
      {"hola.recall_128k", undecidable},
      {"hola.common_sense_noise", undecidable},
      {"hola.fixed_temperature", undecidable},
      {"hola.larger_models", undecidable},
      {"hola.variable_tracking", undecidable},
      {"hola.seeds_of_rows", undecidable},
      {"hola.mixing_gate", undecidable},
  };
  return outcomes;
}

TEST(HolaClaims, HaveTheOutcomesOfThisTable) {
  std::set<std::string> seen;
  for (const Claim& claim : hola_ledger()) {
    EXPECT_TRUE(seen.insert(claim.id).second) << claim.id << " stands twice";
    const auto found = expected().find(claim.id);
    ASSERT_NE(found, expected().end()) << claim.id;
    const Result result = claim.check(Effort{});
    EXPECT_STREQ(outcome_name(result.outcome), outcome_name(found->second)) << claim.id << ": " << result.finding;
  }
  EXPECT_EQ(seen.size(), expected().size());
}

TEST(HolaClaims, DoNotDependOnTheSeedOfTheSearch) {
  for (const Claim& claim : hola_ledger()) {
    for (const std::uint64_t seed : {1, 20260702}) {
      const Result result = claim.check(Effort{seed});
      EXPECT_STREQ(outcome_name(result.outcome), outcome_name(expected().at(claim.id)))
          << claim.id << ", seed " << seed << ": " << result.finding;
    }
  }
}

TEST(HolaClaims, TellWhatAReaderNeeds) {
  for (const Claim& claim : hola_ledger()) {
    SCOPED_TRACE(claim.id);
    EXPECT_TRUE(claim.id.starts_with("hola."));
    EXPECT_EQ(claim.source.paper, "hola");
    EXPECT_FALSE(claim.source.place.empty());
    EXPECT_FALSE(claim.source.pages.empty());
    EXPECT_FALSE(claim.statement.empty());
    EXPECT_FALSE(claim.method.empty());
    const Result result = claim.check(Effort{});
    EXPECT_FALSE(result.finding.empty());
    EXPECT_FALSE(result.numbers.empty());
    EXPECT_TRUE(result.cases > 0 || result.outcome == undecidable);
    EXPECT_EQ(result.condition.empty(), result.outcome != conditional);
    if (result.outcome != refuted && result.outcome != conditional) continue;
    ASSERT_TRUE(result.counterexample.has_value());
    EXPECT_FALSE(result.counterexample->inputs.empty());
    EXPECT_FALSE(result.counterexample->shows.empty());
  }
}

TEST(HolaClaims, GiveTheSameResultEachTime) {
  for (const Claim& claim : hola_ledger()) {
    const Result first = claim.check(Effort{3}), again = claim.check(Effort{3});
    EXPECT_EQ(first.finding, again.finding) << claim.id;
    EXPECT_EQ(first.cases, again.cases) << claim.id;
  }
}

}  // namespace
}  // namespace deltaproof::claims
