#include "fuzz/targets/barriers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fuzz/planted_fault.hpp"

namespace deltaproof::fuzz {
namespace {

using ::testing::HasSubstr;

std::string with(const std::function<Launched(const SimtProgram&, Schedule)>& run) {
  return findings_of("barriers", [&](const StoredInput& input) { check_barriers(input.bytes, run); });
}

TEST(FuzzBarriers, SeedsAreNoFindings) { EXPECT_EQ(with(&launch), ""); }

TEST(FuzzBarriers, AWrongRegisterIsAFinding) {
  const auto wrong = [](const SimtProgram& program, Schedule schedule) {
    Launched launched = launch(program, schedule);
    launched.registers.back() ^= 1;
    return launched;
  };
  EXPECT_THAT(with(wrong), HasSubstr("is right"));
}

TEST(FuzzBarriers, AFaultThatIsNotThereIsAFinding) {
  const auto wrong = [](const SimtProgram&, Schedule) { return Launched{{}, "kernel x, block (0, 0, 0): deadlock"}; };
  EXPECT_THAT(with(wrong), HasSubstr("a fault in a program whose threads meet"));
}

TEST(FuzzBarriers, AFaultThatIsMissedIsAFinding) {
  const auto blind = [](const SimtProgram& program, Schedule schedule) {
    Launched launched = launch(program, schedule);
    launched.fault.clear();
    return launched;
  };
  EXPECT_THAT(with(blind), HasSubstr("no fault, though the model finds"));
}

TEST(FuzzBarriers, ADeadlockThatRunsIntoTheStepBudgetIsAFinding) {
  const auto spins = [](const SimtProgram& program, Schedule schedule) {
    Launched launched = launch(program, schedule);
    if (!launched.fault.empty()) launched.fault = "kernel x, block (0, 0, 0): step budget: more than 5 switches";
    return launched;
  };
  EXPECT_THAT(with(spins), HasSubstr("ran into the step budget"));
}

}  // namespace
}  // namespace deltaproof::fuzz
