// Known defects in runs of 512 tokens and 8 heads: to at most two chunks and one head. docs/shrink.md has them all.
#include <gtest/gtest.h>

#include <algorithm>

#include "properties/defects/catalogue.hpp"
#include "tests/properties/diagnose/shrink/defect_case.hpp"

namespace deltaproof {
namespace {

constexpr std::int64_t channels = 16;

class ShrinkDefects : public testing::TestWithParam<const char*> {};

std::int64_t most_chunks(const Problem& problem) {
  std::int64_t most = 0;
  for (const Sequence& s : problem.sequences()) most = std::max(most, state_count(s.length, problem.options().chunk_size));
  return most;
}

void expect_small(const ShrunkCase& shrunk) {
  ASSERT_TRUE(shrunk.fails());
  const Problem& problem = shrunk.smallest.run.problem;
  EXPECT_LE(most_chunks(problem), 2);
  EXPECT_EQ(problem.dims().N, 1);
  EXPECT_EQ(problem.dims().HV, 1);
  EXPECT_EQ(shrunk.smallest.failure.stage, shrunk.failure.stage);
  EXPECT_LE(shrunk.after.bytes, shrunk.before.bytes);
}

TEST_P(ShrinkDefects, ToTwoChunksAndOneHead) {
  const Defect& defect = *find_defect(GetParam());
  const std::optional<DefectCase> found = failing_case(defect, channels);
  ASSERT_TRUE(found);
  EXPECT_GE(found->run.run.problem.dims().T, 500);
  EXPECT_EQ(found->run.run.problem.dims().HV, 8);
  RunChecks checks;
  checks.accuracy.name_fits = false;
  RunCase inputs = found->run.run;
  inputs.outputs = {};
  expect_small(shrink_case(std::move(inputs), KernelJudge(*found->kernel, checks)));
  const std::optional<RunCase> recorded = recorded_run(defect, *found);
  ASSERT_TRUE(recorded);
  expect_small(shrink_case(*recorded, RecordedJudge(found->kernel->name(), std::nullopt, checks.accuracy)));
}

INSTANTIATE_TEST_SUITE_P(Some, ShrinkDefects,
                         testing::Values("decay_squared", "gate_shift", "scale_none", "tail_skipped", "solve_off1"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace deltaproof
