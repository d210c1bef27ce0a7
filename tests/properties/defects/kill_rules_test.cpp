// The rules on damaged runs: alike whether a run is judged anew or from what is known of the recording, and every
// changed bit is seen by the emulation.
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
  const ConformityContext order = conformity_context(problem, outputs, built_in("fla-chunk", Rule::gated_delta).value());
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

TEST(KillRules, FindWhatJudgingTheWholeRunAnewFinds) {
  for (const Defect& defect : defect_catalogue()) {
    if (!strong_decay_bench().why_not(defect).empty()) continue;
    const Outputs outputs = strong_decay_bench().outputs(defect, 2);
    const Findings quick = strong_decay_bench().judge(outputs), anew = judged_anew(outputs);
    EXPECT_EQ(quick.outside_loc, anew.outside_loc) << defect.id;
    EXPECT_EQ(quick.outside_pin, anew.outside_pin) << defect.id;
    EXPECT_EQ(quick.unequal_bits, anew.unequal_bits) << defect.id;
  }
}

TEST(KillRules, TheBitsSeeEveryDefectThatChangesOne) {
  for (const Defect& defect : defect_catalogue()) {
    if (!strong_decay_bench().why_not(defect).empty()) continue;
    for (std::uint64_t place = 0; place < 3; ++place) {
      const Outputs outputs = strong_decay_bench().outputs(defect, place);
      EXPECT_EQ(strong_decay_bench().judge(outputs).killed_by(KillRule::bits), !same_bits(outputs, *strong_decay().outputs))
          << defect.id << " at place " << place;
    }
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
