#include "reference/verdict.hpp"

#include <gtest/gtest.h>

namespace deltaproof {
namespace {

Summary of(std::vector<Status> statuses) {
  std::vector<Verdict> verdicts(statuses.size());
  for (std::size_t i = 0; i < statuses.size(); ++i) verdicts[i].status = statuses[i];
  return summarise(verdicts);
}

TEST(Summarise, CountsEachStatus) {
  using enum Status;
  const Summary summary = of({passed, passed, failed, nonconforming, suspect, uninformative,
                              skipped, skipped, skipped, error, error});
  EXPECT_EQ(summary.passed, 2);
  EXPECT_EQ(summary.failed, 1);
  EXPECT_EQ(summary.nonconforming, 1);
  EXPECT_EQ(summary.suspect, 1);
  EXPECT_EQ(summary.uninformative, 1);
  EXPECT_EQ(summary.skipped, 3);
  EXPECT_EQ(summary.error, 2);
}

TEST(ExitStatus, FollowsTheTable) {
  using enum Status;
  EXPECT_EQ(exit_status(of({passed}), false), 0);
  EXPECT_EQ(exit_status(of({passed, suspect}), false), 0);
  EXPECT_EQ(exit_status(of({passed, suspect}), true), 1);
  for (const Status bad : {failed, nonconforming, error}) {
    EXPECT_EQ(exit_status(of({passed, bad}), false), 1);
    EXPECT_EQ(exit_status(of({skipped, uninformative, bad}), true), 1);
  }
  EXPECT_EQ(exit_status(of({passed, uninformative}), false), 3);
  EXPECT_EQ(exit_status(of({passed, skipped}), false), 3);
  EXPECT_EQ(exit_status(of({suspect, skipped}), true), 1);
}

TEST(ExitStatus, NothingJudgedIsNoPass) {
  EXPECT_EQ(exit_status(of({}), false), 3);
  EXPECT_EQ(exit_status(of({}), true), 3);
}

TEST(ConformityReport, CountsNothingBeforeAnythingIsCompared) {
  const ConformityReport report;
  for (const std::int64_t count : {report.pin_compared, report.pin_violations, report.pin_unknown,
                                   report.pin_unambiguous, report.bits_compared, report.bits_unequal}) {
    EXPECT_EQ(count, 0);
  }
  EXPECT_FALSE(report.has_pin_first_bad);
}

TEST(LocationText, NamesOnlyTheAxesThatApply) {
  Location location;
  location.tensor = "o";
  location.sequence = 0;
  location.token = 70;
  location.chunk = 1;
  location.chunk_position = 6;
  location.head = 1;
  location.column = 12;
  EXPECT_EQ(to_string(location),
            "o: sequence 0, token 70 (chunk 1, position 6), head 1, column 12");

  Location state;
  state.tensor = "final_state";
  state.sequence = 2;
  state.head = 0;
  state.row = 3;
  state.column = 4;
  EXPECT_EQ(to_string(state), "final_state: sequence 2, head 0, row 3, column 4");
  EXPECT_EQ(to_string(Location{.tensor = "o"}), "o");
}

}  // namespace
}  // namespace deltaproof
