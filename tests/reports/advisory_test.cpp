#include "reports/advisory.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/reports/examples.hpp"

namespace deltaproof {
namespace {

using Lines = std::vector<std::string>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(AdvisoryLines, NothingFoundIsOneLine) {
  EXPECT_EQ(advisory_lines(example_advisory()),
            Lines{"advisory   6 sigma: 0 of 1000 beyond 7.25 sigma, largest 4.25; "
                  "structured error: 0 of 42 statistics"});
}

TEST(AdvisoryLines, WhatWasFoundHasItsPlaceAndItsLimit) {
  EXPECT_EQ(advisory_lines(example_alarm()),
            (Lines{"advisory   6 sigma: 3 of 1000 beyond 7.25 sigma, largest 9.5; "
                   "structured error: 2 of 42 statistics",
                   "           largest at o: sequence 0, token 70 (chunk 1, position 6), head 1, column 12",
                   "           energy of o, position 63: 5.1 (limit 2.3)",
                   "           slope of states, all: -0.0003 (a correct kernel: 1.1e-05, within "
                   "9.8e-05)"}));
}

TEST(AdvisoryLines, EitherFindingAloneIsShownWithThePlaceOfTheLargest) {
  AdvisoryReport sigma_alone = example_alarm();
  sigma_alone.structures.clear();
  const Lines lines = advisory_lines(sigma_alone);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[1].find("           largest at o:"), 0) << lines[1];

  AdvisoryReport structure_alone = example_alarm();
  structure_alone.sigma_outside = 0;
  EXPECT_EQ(advisory_lines(structure_alone).size(), 4);
}

TEST(AdvisoryLines, WithoutAComparisonThereIsNoPlaceOfTheLargest) {
  AdvisoryReport report = example_alarm();
  report.sigma_compared = report.sigma_outside = 0;
  report.sigma_worst = {};
  const Lines lines = advisory_lines(report);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_EQ(lines[0], "advisory   6 sigma: nothing compared; structured error: 2 of 42 statistics");
  EXPECT_EQ(lines[1], "           energy of o, position 63: 5.1 (limit 2.3)");
}

TEST(AdvisoryLines, FiveStructuresAndTheCountOfTheRest) {
  AdvisoryReport report = example_alarm();
  report.structures.assign(5, report.structures.front());
  EXPECT_EQ(advisory_lines(report).size(), 2 + 5);
  report.structures.resize(8, report.structures.front());
  const Lines lines = advisory_lines(report);
  ASSERT_EQ(lines.size(), 2 + 5 + 1);
  EXPECT_EQ(lines.back(), "           and 3 more (report.json has them all)");
}

TEST(AdvisoryLines, OffSaysWhyAndNothingElse) {
  AdvisoryReport report;
  report.off = "the inverse truncates";
  report.units_off = 4;
  EXPECT_EQ(advisory_lines(report), Lines{"advisory   off: the inverse truncates"});
}

TEST(AdvisoryLines, UnitsLeftOutAreCountedAmongAll) {
  AdvisoryReport report = example_advisory();
  report.units_off = 3;
  report.why_units_off = "the inverse amplifies too much";
  const Lines lines = advisory_lines(report);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[1], "           3 of 11 chunks left out: the inverse amplifies too much");
}

// Where every unit was left out, no count of nothing may read as a clean result.
TEST(AdvisoryLines, NothingComparedIsNotNothingFound) {
  AdvisoryReport report;
  report.units_off = 8;
  report.why_units_off = "no sigma";
  EXPECT_EQ(advisory_lines(report), (Lines{"advisory   6 sigma: nothing compared; structured error: nothing tested",
                                           "           8 of 8 chunks left out: no sigma"}));
}

TEST(AdvisoryLines, NumbersThatAreNotFiniteAreNamed) {
  AdvisoryReport report = example_alarm();
  report.sigma_largest = infinity;
  report.structures = {{"slope", "o", "all", -1, -nan, infinity, -infinity}};
  const Lines lines = advisory_lines(report);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_NE(lines[0].find("largest inf;"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[2], "           slope of o, all: nan (a correct kernel: inf, within -inf)");
}

TEST(AdvisoryLines, NoFieldCanDriveTheTerminal) {
  const std::string hostile = "x\x1b[2J\n\xc3\xa9";
  const std::string shown = "x\\x1b[2J\\x0a\\xc3\\xa9";
  AdvisoryReport report = example_alarm();
  report.units_off = 1;
  report.why_units_off = report.sigma_worst.tensor = hostile;
  report.structures = {{hostile, hostile, hostile, 1, 1, 1, 1}};
  AdvisoryReport off;
  off.off = hostile;
  Lines lines = advisory_lines(report);
  ASSERT_EQ(lines.size(), 4);
  EXPECT_EQ(lines[2], "           " + shown + " of " + shown + ", " + shown + " 1: 1 (limit 1)");
  lines.push_back(advisory_lines(off).front());
  for (const std::string& line : lines) {
    for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << int{c} << " in " << line;
  }
}

}  // namespace
}  // namespace deltaproof
