#include "tests/kernels/simt/checker_fixture.hpp"

namespace deltaproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string races = "checker_kernels_races.cuh";

class CheckerRaces : public testing::TestWithParam<Build> {
 protected:
  CheckerResult run(CheckerRun launch) {
    launch.build = GetParam();
    return run_checked(launch);
  }
};
INSTANTIATE_TEST_SUITE_P(Builds, CheckerRaces, testing::ValuesIn(checked_builds()), [](const auto& build) {
  return std::string(build.param == Build::checked_gcc ? "gcc" : "clang");
});

TEST_P(CheckerRaces, KernelsWithoutFaultAreCleanUnderEverySchedule) {
  const std::vector<CheckerRun> clean{
      {.kernel = "reverse"},          {.kernel = "warp_exchange"},  {.kernel = "half_warp_exchange"},
      {.kernel = "read_by_halves"},   {.kernel = "parts_of_words"}, {.kernel = "blocks_write"},
      {.kernel = "copy_async"},       {.kernel = "load_matrix"},    {.kernel = "read_shifted"},
      {.kernel = "copy_vectors"},     {.kernel = "copy_memory"},    {.kernel = "shared_shifted"},
      {.kernel = "dynamic_shared"},   {.kernel = "write_input"},    {.kernel = "read_unwritten_shared"},
      {.kernel = "read_constants"},   {.kernel = "divide"},         {.kernel = "recurse"},
      {.kernel = "through_scratch", .shift = 1, .before = {0}},
      {.kernel = "blocks_write_halves"}, {.kernel = "copy_source"}, {.kernel = "copy_source", .shift = 4},
  };
  for (const ScheduleInfo& schedule : schedule_table()) {
    for (CheckerRun launch : clean) {
      launch.schedule = schedule.schedule;
      launch.threads = 2;
      const CheckerResult result = run(launch);
      EXPECT_THAT(result.error, IsEmpty()) << launch.kernel << ", " << schedule.name;
      EXPECT_GT(result.accesses, 0u) << launch.kernel;
    }
  }
}

TEST_P(CheckerRaces, RightNumbersDoNotHideADroppedBarrier) {
  const CheckerResult result = run({.kernel = "dropped_barrier", .schedule = Schedule::reverse});
  EXPECT_THAT(result.error, AllOf(HasSubstr("race: reads 4 bytes that thread"), HasSubstr("wrote at"),
                                  HasSubstr("of the 256 bytes of __shared__ dropped_barrier("), HasSubstr("::tile"),
                                  HasSubstr("no barrier orders the two"),
                                  HasSubstr("at tests/kernels/simt/" + line_of(races, "out[t] = tile[t | 1]"))));
  CheckerRun plain{.kernel = "dropped_barrier", .build = Build::plain, .schedule = Schedule::reverse};
  const CheckerResult unchecked = run_checked(plain);
  EXPECT_THAT(unchecked.error, IsEmpty());
  for (std::size_t t = 0; t < 64; ++t) EXPECT_EQ(unchecked.out[t], static_cast<float>((t | 1) + 1));
}

TEST_P(CheckerRaces, EveryScheduleReportsADroppedBarrier) {
  for (const ScheduleInfo& schedule : schedule_table()) {
    for (const char* kernel : {"dropped_barrier", "dropped_second_barrier"}) {
      EXPECT_NE(run({.kernel = kernel, .schedule = schedule.schedule}).error, "") << kernel << schedule.name;
    }
  }
}

TEST_P(CheckerRaces, AWriteWhileOthersStillReadIsARace) {
  const CheckerResult result = run({.kernel = "dropped_second_barrier", .schedule = Schedule::warp_ahead});
  EXPECT_THAT(result.error, HasSubstr("race: "));
  EXPECT_THAT(result.error, HasSubstr(races));
}

TEST_P(CheckerRaces, SyncwarpOrdersTheLanesOfItsMask) {
  EXPECT_THAT(run({.kernel = "warp_exchange", .shift = 1}).error, testing::Not(IsEmpty()));
  EXPECT_THAT(run({.kernel = "warp_exchange", .shift = 1, .schedule = Schedule::reverse}).error,
              HasSubstr("no thread has written yet"));
  EXPECT_THAT(run({.kernel = "half_warp_exchange", .shift = 16}).error, HasSubstr("race: "));
  EXPECT_THAT(run({.kernel = "read_by_halves", .shift = 1}).error, HasSubstr("race: writes 4 bytes that"));
}

TEST_P(CheckerRaces, AShuffleOrdersNoMemory) {
  EXPECT_THAT(run({.kernel = "warp_exchange", .shift = 2}).error, HasSubstr("race: "));
}

TEST_P(CheckerRaces, BlocksThatWriteTheSameElementRaceEvenWithTheSameValue) {
  for (const int threads : {1, 2}) {
    EXPECT_THAT(run({.kernel = "blocks_write", .shift = 1, .threads = threads}).error,
                AllOf(HasSubstr("of block ("), HasSubstr("nothing orders blocks of one launch"),
                      HasSubstr("of buffer out ([T], 256 bytes)"),
                      HasSubstr(line_of(races, "out[i] = in[threadIdx"))));
  }
}

TEST_P(CheckerRaces, ABlockThatReadsWhatAnotherWritesIsReportedInEitherOrder) {
  EXPECT_THAT(run({.kernel = "block_reads_other", .schedule = Schedule::forward}).error,
              HasSubstr("race: reads 4 bytes that thread (0, 0, 0) of block (0, 0, 0) wrote at"));
  EXPECT_THAT(run({.kernel = "block_reads_other", .schedule = Schedule::reverse, .before = {}}).error,
              HasSubstr("uninitialised: reads 4 bytes"));
  for (const Schedule schedule : {Schedule::forward, Schedule::reverse}) {
    EXPECT_THAT(
        run({.kernel = "blocks_read_one_writes", .shift = 1, .schedule = schedule, .before = {0}}).error,
        AllOf(HasSubstr("race: "), HasSubstr("nothing orders blocks of one launch"),
              HasSubstr("byte 0 of buffer scratch")));
  }
}

TEST_P(CheckerRaces, ACopyIsReadOnlyAfterItsWaitAndABarrier) {
  EXPECT_THAT(run({.kernel = "copy_async", .shift = 1}).error,
              AllOf(HasSubstr("while a cp.async to them is in flight"),
                    HasSubstr(line_of(races, "cp_async_16(tile + 4 * t, in"))));
  EXPECT_THAT(run({.kernel = "copy_async", .shift = 2}).error,
              testing::AnyOf(HasSubstr("race: reads 4 bytes"), HasSubstr("uninitialised: reads 4 bytes")));
}

TEST_P(CheckerRaces, TheSourceOfACopyIsReadUntilItsWait) {
  for (const ScheduleInfo& schedule : schedule_table()) {
    EXPECT_THAT(run({.kernel = "copy_source", .shift = 1, .schedule = schedule.schedule}).error,
                AllOf(HasSubstr("race: writes 4 bytes while a cp.async from them is in flight (issued by thread ("),
                      HasSubstr(line_of(races, "// copy of scratch") + ", not waited for): byte "),
                      HasSubstr("of buffer scratch"), HasSubstr(line_of(races, "// own source"))))
        << schedule.name;
    EXPECT_THAT(run({.kernel = "copy_source", .shift = 2, .schedule = schedule.schedule}).error,
                AllOf(HasSubstr("thread (63, 0, 0), at tests/kernels/simt/" + line_of(races, "// another's source")),
                      HasSubstr("(issued by thread (0, 0, 0) at "), HasSubstr("byte 0 of buffer scratch")))
        << schedule.name;
  }
}

TEST_P(CheckerRaces, TheSourceOfACopyIsReadAtItsWait) {
  EXPECT_THAT(run({.kernel = "copy_source", .shift = 3, .schedule = Schedule::forward}).error,
              AllOf(HasSubstr("race: writes 4 bytes that thread (0, 0, 0) read at "),
                    HasSubstr(line_of(races, "// copy of scratch") + ", and no barrier orders the two"),
                    HasSubstr(line_of(races, "// source just waited for"))));
  EXPECT_THAT(run({.kernel = "copy_source", .shift = 3, .schedule = Schedule::reverse}).error,
              HasSubstr("while a cp.async from them is in flight (issued by thread (0, 0, 0) at "));
}

TEST(CopySources, ThatChangeBeforeTheWaitAreFoundWithoutAChecker) {
  for (const ScheduleInfo& schedule : schedule_table()) {
    const auto error = [&](int shift) {
      return run_checked({.kernel = "copy_source", .shift = shift, .build = Build::plain,
                          .schedule = schedule.schedule}).error;
    };
    const std::string text = "cuh:" + line_of(races, "// copy of scratch").substr(races.size() + 1) +
                             ": race: the source of this cp.async was written to before its cp_async_wait";
    EXPECT_THAT(error(0), IsEmpty()) << schedule.name;
    EXPECT_THAT(error(1), HasSubstr(text)) << schedule.name;
    EXPECT_THAT(error(2), AllOf(HasSubstr("thread (0, 0, 0)"), HasSubstr(text))) << schedule.name;
    EXPECT_THAT(error(4), IsEmpty()) << schedule.name;
  }
}

TEST_P(CheckerRaces, LdmatrixReadsAreChecked) {
  EXPECT_THAT(run({.kernel = "load_matrix", .shift = 1}).error,
              AllOf(HasSubstr("uninitialised: reads 16 bytes"), HasSubstr(line_of(races, "simt::ldmatrix_x4"))));
}

}  // namespace
}  // namespace deltaproof
