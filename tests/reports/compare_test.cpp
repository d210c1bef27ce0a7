#include "reports/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/comparison.hpp"
#include "reports/json.hpp"
#include "tests/reports/rich_examples.hpp"

namespace deltaproof {
namespace {

using enum Status;
const std::vector<Status> statuses{passed, suspect, uninformative, nonconforming, failed, error, skipped};

Verdict verdict_of(const std::string& name, Status status, const std::string& hash = "", const std::string& path = "") {
  Verdict verdict = example_ended(status, status == passed ? "" : "why");
  verdict.case_name = name;
  verdict.case_path = path;
  verdict.outputs_hash = hash;
  return verdict;
}

Report report_of(std::vector<Verdict> verdicts) { return {example_environment(), std::move(verdicts)}; }

/// The comparison of two lists of verdicts, with what it refers to.
struct Case {
  Report before, now;
  ReportComparison comparison;
  Case(std::vector<Verdict> old_ones, std::vector<Verdict> new_ones)
      : before(report_of(std::move(old_ones))), now(report_of(std::move(new_ones))),
        comparison(compare_reports(before, now)) {}
  std::string text() const { return comparison_text({"old", "new", &before, &now, &comparison}); }
  std::string json() const { return comparison_json({"old", "new", &before, &now, &comparison}); }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The words between the bars of a row of Markdown.
std::vector<std::string> cells_of(const std::string& line) {
  std::istringstream row(line.substr(1));
  std::vector<std::string> cells;
  for (std::string cell; std::getline(row, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

/// What becomes of a status, as the table in docs/ci.md has it: [it was, it is].
std::map<std::pair<std::string, std::string>, std::string> documented_changes() {
  std::ifstream page(DELTAPROOF_SOURCE_DIR "/docs/ci.md");
  std::vector<std::string> heads;
  std::map<std::pair<std::string, std::string>, std::string> changes;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| | passed | suspect ")) heads = cells_of(line);
    if (heads.empty() || line.empty()) {
      if (!changes.empty()) break;
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    for (std::size_t i = 1; i < std::min(cells.size(), heads.size()); ++i) changes[{cells[0], heads[i]}] = cells[i];
  }
  return changes;
}

TEST(ChangeOf, IsThatOfTheTableOnThePage) {
  const auto table = documented_changes();
  for (const Status before : statuses) {
    const Case gone({verdict_of("a", before)}, {}), added({}, {verdict_of("a", before)});
    EXPECT_EQ(change_name(gone.comparison.entries.at(0).change), table.at({status_name(before), "not there"}));
    EXPECT_EQ(change_name(added.comparison.entries.at(0).change), table.at({"not there", status_name(before)}));
    for (const Status now : statuses) {
      EXPECT_EQ(change_name(change_of(before, now)), table.at({status_name(before), status_name(now)}))
          << status_name(before) << " -> " << status_name(now);
    }
  }
}

TEST(Compare, CountsEachChangeAndTheBits) {
  const Case both({verdict_of("same", passed, "1"), verdict_of("fixed", failed, "2"), verdict_of("worse", passed, "3"),
                   verdict_of("gone", passed, "4"), verdict_of("not run", passed, "5")},
                  {verdict_of("new", passed, "6"), verdict_of("not run", skipped), verdict_of("worse", failed, "30"),
                   verdict_of("fixed", passed, "2"), verdict_of("same", passed, "1")});
  EXPECT_EQ(comparison_line(both.comparison),
            "1 same, 1 fixed, 1 regressed, 1 new, 1 gone, 1 not run; bits: 2 unchanged, 1 changed, 1 unknown");
  EXPECT_EQ(both.comparison.ran_twice, 3);
  EXPECT_EQ(exit_status(both.comparison, false), 1);
}

TEST(Compare, ExitStatusSaysWhetherSomethingIsWorse) {
  const auto statuses_of = [](const Case& both) {
    return std::pair(exit_status(both.comparison, false), exit_status(both.comparison, true));
  };
  using Exit = std::pair<int, int>;  // without and with --strict
  const Verdict same = verdict_of("a", passed, "1");
  EXPECT_EQ(statuses_of({{same}, {same}}), Exit(0, 0));
  EXPECT_EQ(statuses_of({{same}, {verdict_of("a", passed, "2")}}), Exit(0, 0));  // other bits, as good as before
  EXPECT_EQ(statuses_of({{same}, {verdict_of("a", suspect, "1")}}), Exit(1, 1));
  EXPECT_EQ(statuses_of({{verdict_of("a", failed)}, {verdict_of("a", failed)}}), Exit(0, 0));  // known to fail
  EXPECT_EQ(statuses_of({{same}, {same, verdict_of("b", passed)}}), Exit(0, 0));
  for (const Status bad : {failed, nonconforming, error}) {
    EXPECT_EQ(statuses_of({{same}, {same, verdict_of("b", bad)}}), Exit(1, 1)) << status_name(bad);
    EXPECT_EQ(statuses_of({{same, verdict_of("b", skipped)}, {same, verdict_of("b", bad)}}), Exit(1, 1));
  }
  for (const Status doubt : {suspect, uninformative, skipped}) {
    EXPECT_EQ(statuses_of({{same}, {same, verdict_of("b", doubt)}}), Exit(0, 1)) << status_name(doubt);
  }
  EXPECT_EQ(statuses_of({{same, verdict_of("b", passed)}, {same}}), Exit(0, 1));
  EXPECT_EQ(statuses_of({{same, verdict_of("b", passed)}, {same, verdict_of("b", skipped)}}), Exit(0, 1));
}

TEST(Compare, AFailureThatIsFurtherOutIsWorseIfStrict) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto out_by = [](Status status, double ratio, std::int64_t violations) {
    Verdict verdict = verdict_of("a", status);
    verdict.worst_ratio = ratio;
    verdict.violations = violations;
    return verdict;
  };
  for (const Status bad : {failed, nonconforming, error}) {
    const Verdict before = out_by(bad, 1.01, 3);
    for (const Verdict& now :
         {out_by(bad, infinity, 3), out_by(bad, nan, 3), out_by(bad, 1.02, 1), out_by(bad, 1, 4)}) {
      const Case both({before}, {now});
      EXPECT_EQ(exit_status(both.comparison, false), 0);
      EXPECT_EQ(exit_status(both.comparison, true), 1) << status_name(bad) << now.worst_ratio;
      EXPECT_TRUE(has(both.text(), "1 that failed before are further out")) << both.text();
      EXPECT_TRUE(has(both.text(), "same  a")) << both.text();
    }
    for (const Verdict& now : {before, out_by(bad, 1, 3), out_by(bad, 1.01, 2)}) {
      EXPECT_EQ(exit_status(Case({before}, {now}).comparison, true), 0);
    }
    EXPECT_EQ(exit_status(Case({out_by(bad, nan, 3)}, {out_by(bad, nan, 3)}).comparison, true), 0);
  }
  EXPECT_EQ(exit_status(Case({out_by(passed, 0.1, 0)}, {out_by(passed, 0.2, 0)}).comparison, true), 0);
  Verdict before = example_failure(), now = before;
  before.status = now.status = nonconforming;
  now.conformity->pin_violations = 1;
  EXPECT_EQ(exit_status(Case({before}, {now}).comparison, true), 1);
}

TEST(Compare, AFailureDoesNotHideBehindAnotherThatIsGone) {
  const Case both({verdict_of("run", failed, "", "x/run"), verdict_of("run", passed, "", "y/run")},
                  {verdict_of("run", failed, "", "z/run")});
  EXPECT_EQ(both.comparison.count(Change::regressed), 1);
  EXPECT_EQ(exit_status(both.comparison, false), 1);
  const Case three({verdict_of("run", failed, "", "x"), verdict_of("run", suspect, "", "y"),
                    verdict_of("run", passed, "", "z")},
                   {verdict_of("run", passed, "", "u"), verdict_of("run", suspect, "", "v")});
  EXPECT_EQ(three.comparison.count(Change::regressed), 1);
}

TEST(Compare, WithoutAVerdictInBothNothingWasCompared) {
  const Verdict one = verdict_of("a", passed, "1"), other = verdict_of("b", passed, "1");
  for (const Case& both : {Case({}, {}), Case({one}, {}), Case({}, {one}), Case({one}, {other}),
                           Case({one}, {verdict_of("a", skipped)}),
                           Case({verdict_of("a", skipped)}, {verdict_of("a", skipped)})}) {
    EXPECT_EQ(exit_status(both.comparison, false), 3);
    EXPECT_TRUE(has(both.text(), "nothing was compared")) << both.text();
  }
}

TEST(Compare, BitsAreUnknownWithoutBothHashes) {
  for (const auto& [before, now] : {std::pair("", "1"), std::pair("1", ""), std::pair("", "")}) {
    const Case both({verdict_of("a", passed, before)}, {verdict_of("a", passed, now)});
    EXPECT_EQ(both.comparison.entries[0].bits, BitsChange::unknown);
  }
}

TEST(Compare, KernelAndPropertyBelongToTheName) {
  Verdict other_kernel = verdict_of("a", passed), other_property = other_kernel;
  other_kernel.kernel = "other";
  other_property.property = "schedules";
  const Case both({verdict_of("a", failed)}, {other_kernel, other_property});
  EXPECT_EQ(both.comparison.count(Change::added), 2);
  EXPECT_EQ(both.comparison.count(Change::gone), 1);
}

TEST(Compare, VerdictsOfOneNameAreMatchedByPathThenInOrder) {
  const Case by_path({verdict_of("a", passed, "1", "x"), verdict_of("a", failed, "2", "y")},
                     {verdict_of("a", failed, "2", "y"), verdict_of("a", passed, "1", "x")});
  EXPECT_EQ(by_path.comparison.count(Change::same), 2);
  EXPECT_EQ(by_path.comparison.count(BitsChange::unchanged), 2);
  EXPECT_EQ(by_path.comparison.ambiguous, 4);
  EXPECT_TRUE(has(by_path.text(), "4 verdicts share case, kernel and property")) << by_path.text();

  const Case one_left({verdict_of("a", passed, "1", "x"), verdict_of("a", failed, "2", "y")},
                      {verdict_of("a", failed, "2", "y")});
  EXPECT_EQ(one_left.comparison.count(Change::gone), 1);
  EXPECT_EQ(one_left.comparison.entries[0].before->case_path, "y");

  const Case moved({verdict_of("a", passed, "1", "old/x"), verdict_of("a", failed, "2", "old/y"),
                    verdict_of("a", passed, "3", "z")},
                   {verdict_of("a", passed, "3", "z"), verdict_of("a", passed, "1", "new/x"),
                    verdict_of("a", failed, "2", "new/y")});
  EXPECT_EQ(moved.comparison.count(BitsChange::unchanged), 3);
}

TEST(Compare, APathThatMovedIsTheSameVerdict) {
  const Case both({verdict_of("a", passed, "1", "/home/x/a")}, {verdict_of("a", passed, "1", "/ci/a")});
  EXPECT_EQ(both.comparison.count(Change::same), 1);
  EXPECT_EQ(both.comparison.ambiguous, 0);
}

TEST(ComparisonText, HasALineForWhatIsNotAsItWasAlone) {
  const Case both({verdict_of("calm", passed, "1"), verdict_of("other bits", passed, "2"), verdict_of("worse", passed),
                   verdict_of("gone", failed)},
                  {verdict_of("calm", passed, "1"), verdict_of("other bits", passed, "3"), verdict_of("worse", error),
                   verdict_of("new", failed)});
  const std::string text = both.text();
  EXPECT_FALSE(has(text, "calm")) << text;
  EXPECT_TRUE(has(text, "same       other bits  kernel  accuracy  passed           bits changed\n")) << text;
  EXPECT_TRUE(has(text, "regressed  worse       kernel  accuracy  passed -> error  bits unknown\n    reason     why\n"))
      << text;
  EXPECT_TRUE(has(text, "gone       gone        kernel  accuracy  was failed\n")) << text;
  EXPECT_TRUE(has(text, "1 of the new ones failed: as bad as a regression\n")) << text;
  EXPECT_LT(text.find("regressed  worse"), text.find("new        new"));
  EXPECT_LT(text.find("new        new"), text.find("gone       gone"));
  EXPECT_TRUE(text.ends_with(comparison_line(both.comparison) + "\n"));
}

TEST(ComparisonText, ShowsHowTheLargestErrorMoved) {
  Verdict before = example_pass(), now = example_pass();
  now.worst_ratio = 2 * before.worst_ratio;
  const std::string text = Case({before}, {now}).text();
  EXPECT_TRUE(has(text, "worst 0.438 -> 0.875 (x 2)")) << text;
  EXPECT_TRUE(has(text, "largest growth of an error against its bound: gdn  fla  accuracy  worst 0.438")) << text;
  now.worst_ratio = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(has(Case({before}, {now}).text(), "worst 0.438 -> inf\n"));
  before.worst_ratio = 0;
  now.worst_ratio = 0.5;
  EXPECT_TRUE(has(Case({before}, {now}).text(), "worst 0 -> 0.5\n"));
  before.worst_ratio = now.worst_ratio = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(has(Case({before}, {now}).text(), "worst"));
}

TEST(ComparisonText, SaysWhatElseDiffersThatMayMoveBits) {
  Verdict before = example_everything(), now = before;
  now.ran.source_hash = "fedcba9876543210";
  Case both({before}, {now});
  both.now.environment.compiler = "clang";
  both.comparison = compare_reports(both.before, both.now);
  const std::string text = both.text();
  EXPECT_TRUE(has(text, "differs  compiler: gcc -> clang\n")) << text;
  EXPECT_TRUE(has(text, "differs  source of <kernel> & co: abcdef012345 -> fedcba987654\n")) << text;
  EXPECT_TRUE(has(text, "bits and ratios may have moved for that alone")) << text;
  EXPECT_FALSE(has(Case({before}, {before}).text(), "differs"));
}

TEST(ComparisonText, IsPrintable) {
  const Case both({}, {example_everything()});
  for (const char c : both.text()) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int{c};
}

TEST(ComparisonJson, HasEveryVerdict) {
  const Case both({verdict_of("a", passed, "1"), verdict_of("b", failed)},
                  {verdict_of("a", failed, "2"), example_everything()});
  const auto json = nlohmann::json::parse(both.json());
  EXPECT_EQ(json["schema"], "deltaproof.comparison/1");
  EXPECT_EQ(json["counts"]["regressed"], 1);
  EXPECT_EQ(json["counts"]["new failures"], 1);
  EXPECT_EQ(json["bits"]["changed"], 1);
  ASSERT_EQ(json["verdicts"].size(), 3);
  EXPECT_EQ(json["verdicts"][0]["status_before"], "passed");
  EXPECT_EQ(json["verdicts"][0]["status_now"], "failed");
  EXPECT_EQ(json["verdicts"][1]["worst_ratio_now"], "inf");
  EXPECT_TRUE(json["verdicts"][1]["status_before"].is_null());
  EXPECT_EQ(json["verdicts"][2]["change"], "gone");
}

// Sorting and matching are not quadratic in the number of verdicts; in reverse order, with every name twice.
TEST(Compare, ManyVerdicts) {
  std::vector<Verdict> before;
  for (int i = 0; i < 100000; ++i) before.push_back(verdict_of(std::to_string(i / 2), passed, std::to_string(i)));
  std::vector<Verdict> now(before.rbegin(), before.rend());
  const Case both(before, now);
  EXPECT_EQ(both.comparison.count(Change::same), 100000);
  EXPECT_EQ(comparison_line(both.comparison).find("100000 same"), 0);
  const Case one_name(std::vector<Verdict>(100000, verdict_of("a", passed)),
                      std::vector<Verdict>(100000, verdict_of("a", passed)));
  EXPECT_EQ(one_name.comparison.count(Change::same), 100000);
}

}  // namespace
}  // namespace deltaproof
