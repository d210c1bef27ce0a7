// Right stages, and what all properties of stages share.
#include <set>

#include "tests/properties/stages/stage_fixture.hpp"

namespace deltaproof {
namespace {

TEST(StageProperties, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const StageProperty* each : stage_properties()) {
    names.insert(each->name);
    EXPECT_EQ(find_stage_property(each->name), each);
    EXPECT_NE(each->sentence, "");
  }
  EXPECT_EQ(names.size(), 8u);
  EXPECT_EQ(find_stage_property("stage_colour"), nullptr);
  EXPECT_EQ(find_stage("chunk"), nullptr);
}

// Each says something, too: none is uninformative.
TEST(StageProperties, PassOnEveryUsualCase) {
  HostDeviceOptions options;
  options.schedule = Schedule::reverse;
  StageChecks checks;
  checks.schedules = {{"another schedule", stage_device(options)}};
  const auto device = stage_device();
  for (const StageKernel& stage : stages()) {
    for (std::int64_t i = 0; i < 3 * stage.usual_cases; ++i) {
      const StageProblem problem =
          stage.draw(static_cast<std::uint64_t>(i / stage.usual_cases), static_cast<std::uint64_t>(i));
      EXPECT_EQ(problem.stage(), stage.name);
      for (const Verdict& verdict : check_stage({problem, *device, checks})) EXPECT_TRUE(passes(verdict));
    }
  }
}

// Its run is damaged, the one that it is compared with is not.
Outputs one_bit_off(const Device& device, const StageProblem& problem) {
  Outputs outputs = run_stage(device, problem);
  outputs.tensors.begin()->second.bytes.back() ^= std::byte{1};
  return outputs;
}

TEST(StageProperties, OneOtherBitIsSeen) {
  HostDeviceOptions options;
  options.build = HostBuild::checked;
  StageChecks checks;
  checks.schedules = {{"schedule so", stage_device()}};
  checks.checked = stage_device(options);
  checks.against = NamedDevice{"the host", stage_device()};
  for (const StageKernel& stage : stages()) {
    const StageProblem problem = stage.draw(0, 0);
    for (const char* property : {"schedules", "checked", "against_host"}) {
      EXPECT_TRUE(passes(verdict_of(property, problem, &run_stage, checks)));
      const Verdict verdict = verdict_of(property, problem, &one_bit_off, checks);
      EXPECT_TRUE(fails(verdict, "have other bits, the first at "));
      EXPECT_EQ(verdict.violations, 1);
      EXPECT_EQ(verdict_of(property, problem).status, Status::skipped);
    }
  }
}

TEST(StageProperties, AFaultIsAnError) {
  const StageRun faulty = [](const Device&, const StageProblem&) -> Outputs { throw KernelError("it fell over"); };
  const StageProblem problem = find_stage("select")->draw(0, 0);
  const Verdict verdict = verdict_of("accuracy", problem, faulty);
  EXPECT_EQ(verdict.status, Status::error);
  EXPECT_EQ(verdict.reason, "it fell over");
  const auto device = stage_device();
  const StageChecks checks;
  const std::vector<Verdict> all = check_stage({problem, *device, checks, 0, faulty});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].status, Status::error);
}

TEST(StageProperties, OneOfAnotherStageIsSkipped) {
  const Verdict verdict = verdict_of("stage_nan", find_stage("scores")->draw(0, 0));
  EXPECT_EQ(verdict.status, Status::skipped);
  EXPECT_EQ(verdict.reason, "stage_nan is no property of scores");
}

}  // namespace
}  // namespace deltaproof
