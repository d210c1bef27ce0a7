#include "tests/kernels/simt/checker_program.hpp"

#include "tests/kernels/simt/checker_fixture.hpp"

namespace deltaproof {
namespace {

using testing::HasSubstr;

/// The checker's cells keep one write and a summary of the reads; every pair of accesses, compared, says the same.
void agrees_with_all_pairs(const char* kernel, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int races = 0;
  constexpr int programs = 150;
  for (int i = 0; i < programs; ++i) {
    const CheckerProgram program = random_program(random);
    const Schedule schedule = schedule_table()[static_cast<std::size_t>(i) % schedule_table().size()].schedule;
    CheckerRun run{.kernel = kernel, .shift = static_cast<int>(program.steps.size()), .schedule = schedule};
    run.in = program.encoded();
    const std::string error = run_checked(run).error;
    ASSERT_EQ(error.find("race: ") != std::string::npos, program.has_race()) << "program " << i << ": " << error;
    ASSERT_EQ(error.empty(), !program.has_race()) << "program " << i << ": " << error;
    if (program.has_race()) ++races;
  }
  EXPECT_GT(races, programs / 5);
  EXPECT_LT(races, programs - programs / 5);
}

TEST(CheckerProgram, RacesInSharedMemoryAreThoseOfAllPairs) { agrees_with_all_pairs("interpret_shared", 1); }
TEST(CheckerProgram, RacesInGlobalMemoryAreThoseOfAllPairs) { agrees_with_all_pairs("interpret_global", 2); }

}  // namespace
}  // namespace deltaproof
