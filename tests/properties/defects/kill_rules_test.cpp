// The rules on damaged runs: alike whether a run is judged anew or from what is known of the recording.
#include <gtest/gtest.h>

#include "properties/accuracy/conclude.hpp"
#include "properties/accuracy/judge_units.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

// Everything judged from the outputs alone, as check_accuracy does.
Findings judged_anew(const Outputs& outputs) {
  const Problem& problem = strong_decay().problem;
  const BoundChoice choice = choose_bound("fla-chunk", problem);
  const std::vector<Unit> units = plan_units(problem, outputs, choice);
  const JudgeContext context{problem, outputs, "fla-chunk", choice, tensor_core("any")};
  const Declared declared = built_in("fla-chunk", Rule::gated_delta).value();
  const ConformityContext order = conformity_context(problem, outputs, declared);
  const Conformity conformity = judge_conformity(order, units, 1);
  Findings findings;
  findings.outside_loc = judge_units(context, units, {}, Rows::as_given).comparison.violations;
  findings.outside_pin = conformity.pin.violations;
  findings.unequal_bits = conformity.bits.unequal;
  return findings;
}

TEST(KillRules, HaveNothingAgainstTheRecording) {
  const Findings findings = strong_decay_bench().judge(*strong_decay().outputs);
  for (const KillRule rule : all_kill_rules) EXPECT_FALSE(findings.killed_by(rule)) << static_cast<int>(rule);
}

// And the emulation sees every defect that changes a bit, and none that does not.
TEST(KillRules, FindWhatJudgingTheWholeRunAnewFinds) {
  for (const Defect& defect : recording_defects()) {
    if (!strong_decay_bench().why_not(defect).empty()) continue;
    const Outputs outputs = strong_decay_bench().outputs(defect, 2);
    const Findings quick = strong_decay_bench().judge(outputs), anew = judged_anew(outputs);
    EXPECT_EQ(quick.outside_loc, anew.outside_loc) << defect.id;
    EXPECT_EQ(quick.outside_pin, anew.outside_pin) << defect.id;
    EXPECT_EQ(quick.unequal_bits, anew.unequal_bits) << defect.id;
    EXPECT_EQ(quick.killed_by(KillRule::bits), !same_bits(outputs, *strong_decay().outputs)) << defect.id;
  }
}

// The advisory tier on units taken from the recording and units judged anew, as on all of them judged anew.
TEST(KillRules, FindWhatTheAdvisoryTierFindsInTheWholeRun) {
  const Problem& problem = strong_decay().problem;
  const BoundChoice choice = choose_bound("fla-chunk", problem);
  for (const char* id : {"zero_el", "ulp8", "S_x1.003", "o_trunc", "beta0_tok", "S_bf16"}) {
    const Outputs outputs = strong_decay_bench().outputs(*find_defect(id), 1);
    const JudgeContext context{problem, outputs, "fla-chunk", choice, tensor_core("any")};
    const AdvisoryReport anew = judge_spread(context, plan_units(problem, outputs, choice), Rows::as_given, 1);
    const Findings quick = strong_decay_bench().judge(outputs);
    EXPECT_EQ(quick.outside_sigma, anew.sigma_outside) << id;
    EXPECT_EQ(quick.structured, !anew.structures.empty()) << id;
    EXPECT_TRUE(quick.outside_sigma > 0 || quick.structured) << id;
  }
}

TEST(KillRules, ARecordThatContradictsItselfIsRejectedAsByTheBound) {
  Outputs outputs = *strong_decay().outputs;
  Tensor& state = outputs.tensors.at("final_state");
  std::vector<double> values = state.values();
  values[0] = std::nextafter(static_cast<float>(values[0]), 1.0f);
  state = Tensor::from(state.dtype, state.shape, values);
  const Findings findings = strong_decay_bench().judge(outputs);
  EXPECT_EQ(findings.outside_loc, 0);
  EXPECT_TRUE(findings.contradicts_itself && findings.killed_by(KillRule::loc));
}

TEST(KillRules, RefuseARecordingThatIsNotItsDeclaredArithmetic) {
  CaseFile file = strong_decay();
  file.outputs = strong_decay_bench().outputs(*find_defect("ulp1"), 0);
  EXPECT_THROW(KillRules{file}, std::logic_error);
  EXPECT_THROW(KillRules{recorded_case("delta_chunk_bf16")}, std::logic_error);  // no chunk states
}

TEST(KillRate, CountsPlacesOnlyWhereADefectHasThem) {
  const KillRate one = strong_decay_bench().rate(*find_defect("swap_heads"), 7);
  EXPECT_EQ(one.places, 1);
  EXPECT_TRUE(one.killed_by(KillRule::loc) && one.killed() && one.changes_nothing == 0);
  const KillRate many = strong_decay_bench().rate(*find_defect("ulp1"), 7);
  EXPECT_EQ(many.places, 7);
  EXPECT_EQ(many.kills[static_cast<std::size_t>(KillRule::bits)], 7);
  EXPECT_EQ(many.kills[static_cast<std::size_t>(KillRule::loc)], 0);
}

TEST(KillRate, HalfOfThePlacesIsAKill) {
  KillRate rate{.places = 4, .kills = {1, 2}};
  EXPECT_FALSE(rate.killed_by(KillRule::loc));
  EXPECT_TRUE(rate.killed_by(KillRule::pin));
}

}  // namespace
}  // namespace deltaproof
