// What a search is for, small: inputs on which a right kernel errs far more than on typical ones, and a defect that
// typical inputs miss. docs/hunt.md has the same in the command's sizes.
#include <gtest/gtest.h>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/diagnose/hunt/hunt.hpp"
#include "properties/diagnose/hunt/proposal.hpp"

namespace deltaproof {
namespace {

HuntState hunted(const Kernel& kernel, const std::string& dtype, const std::string& objective, std::int64_t evaluations) {
  HuntState state;
  state.identity.kernel = kernel.name();
  state.identity.dtype = dtype;
  state.identity.objective = objective;
  HuntRun run;
  run.evaluations = evaluations;
  return hunt(std::move(state), hunt_space(*find_built_in_kernel("chunk"), "", dtype), kernel, run).settled();
}

TEST(HuntFinds, ARightKernelErrsFiveTimesAsMuchAsOnTypicalInputsWithinItsBound) {
  const HuntState found = hunted(DefectKernel(nullptr, "chunk"), "BF16", "relative", 128);
  const TypicalValues* typical = found.typical_of(Objective::relative, Dtype::bf16);
  ASSERT_NE(typical, nullptr);
  EXPECT_EQ(typical->problems, typical_problems);
  const Worst worst = found.archives[static_cast<std::size_t>(Objective::relative)].ranked(Objective::relative).front();
  EXPECT_GE(worst.value, 5 * typical->largest) << to_text(worst.candidate.spec);
  EXPECT_TRUE(found.findings.empty()) << found.findings.front().reason;
}

TEST(HuntFinds, ADefectThatTypicalInputsMiss) {
  const DefectKernel kernel(find_defect("decay_clamp_20"), "chunk");
  HuntState none;
  const HuntSpace space = hunt_space(*find_built_in_kernel("chunk"), "", "");
  int passed = 0;
  for (std::int64_t i = 0; i < 80; ++i) {
    const Evaluation result = evaluate(typical_candidate(none, space, i), kernel);
    EXPECT_FALSE(result.is_finding()) << i << ": " << result.reason;
    passed += result.status == Status::passed;
  }
  EXPECT_GE(passed, 50);  // the others have no decay
  const HuntState found = hunted(kernel, "", "bound", 96);
  EXPECT_FALSE(found.findings.empty());
  EXPECT_GT(found.statuses.at("failed"), 0);
}

}  // namespace
}  // namespace deltaproof
