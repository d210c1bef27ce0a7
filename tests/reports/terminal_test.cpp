#include "reports/terminal.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/reports/examples.hpp"

namespace deltaproof {
namespace {

std::vector<std::string> lines_of(const std::vector<Verdict>& verdicts) {
  std::istringstream stream(terminal_report(verdicts, false));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(TerminalReport, APassIsOneLineItsConformityItsAdvisoryAndItsNotes) {
  EXPECT_EQ(lines_of({example_pass()}),
            (std::vector<std::string>{
                "passed  gdn  fla  accuracy  0.438 of LOC at o: sequence 0, token 70 "
                "(chunk 1, position 6), head 1, column 12",
                "    declared   the built-in fla-chunk",
                "               in a layout that autotuning chose: scan pairs instead of pieces_of_32",
                "               PIN: 0 of 1000 outside, 70.0 % known to the bit, of 2 nothing is known; "
                "bits: 1 of 1000 differ (hopper)",
                "               first bit: o: sequence 0, token 3 (chunk 0, position 3), head 1, column 5",
                "    advisory   6 sigma: 0 of 1000 beyond 7.25 sigma, largest 4.25; "
                "structured error: 0 of 42 statistics",
                "    note       eta was not used",
                "1 passed, 0 failed, 0 nonconforming, 0 suspect, 0 uninformative, 0 skipped, "
                "0 error"}));
}

TEST(TerminalReport, AFailureSaysWhatWhereAndHowToSeeItAgain) {
  Verdict failure = example_failure();
  failure.case_name = "gdn";
  failure.value = 1.5;
  failure.error = 0.25;
  failure.worst_ratio = 2.5;
  failure.bound_value = 0.1;
  EXPECT_EQ(lines_of({failure}),
            (std::vector<std::string>{
                "failed  gdn  fla  accuracy  2.5 of LOC at o: sequence 0, token 70 "
                "(chunk 1, position 6), head 1, column 12",
                "    reason     1 value is out of bound",
                "    worst      o: sequence 0, token 70 (chunk 1, position 6), head 1, column 12",
                "               value 1.5, expected 1.25, error 0.25, bound 0.1 (LOC)",
                "    bound      output = 0.375; state copy = 0.125",
                "    first bad  o: sequence 0, token 65 (chunk 1, position 6), head 1, column 12",
                "    out        3 of 1000 compared values",
                "    declared   the built-in fla-chunk",
                "               in a layout that autotuning chose: scan pairs instead of pieces_of_32",
                "               PIN: 0 of 1000 outside, 70.0 % known to the bit, of 2 nothing is known; "
                "bits: 1 of 1000 differ (hopper)",
                "               first bit: o: sequence 0, token 3 (chunk 0, position 3), head 1, column 5",
                "    advisory   6 sigma: 0 of 1000 beyond 7.25 sigma, largest 4.25; "
                "structured error: 0 of 42 statistics",
                "    note       eta was not used",
                "    reproduce: deltaproof check runs/gdn.safetensors",
                "0 passed, 1 failed, 0 nonconforming, 0 suspect, 0 uninformative, 0 skipped, "
                "0 error"}));
}

TEST(TerminalReport, AFailureWithEveryValueInItsBoundDoesNotShowTheWorstAsItsPlace) {
  Verdict failure = example_failure();
  failure.violations = 0;
  failure.worst_ratio = 0.25;
  const std::vector<std::string> lines = lines_of({failure});
  const std::string first_bad = "first bad " + to_string(failure.first_bad);
  EXPECT_TRUE(lines[0].ends_with("  " + first_bad)) << lines[0];
  EXPECT_EQ(lines[2], "    largest    0.25 of LOC: no value is beyond its bound");
  const std::string text = terminal_report({failure}, false);
  EXPECT_EQ(text.find("worst"), std::string::npos) << text;
  EXPECT_EQ(text.find("bound      "), std::string::npos) << text;  // no terms: they are of the worst value

  failure.has_first_bad = false;
  EXPECT_TRUE(lines_of({failure})[0].ends_with("accuracy  -")) << lines_of({failure})[0];
}

TEST(TerminalReport, ASuspectShowsWhatTheAdvisoryTierFound) {
  const std::string text = terminal_report({example_suspect()}, false);
  EXPECT_NE(text.find("\n    advisory   6 sigma: 3 of 1000 beyond"), std::string::npos) << text;
  EXPECT_NE(text.find("\n               energy of o, position 63: 5.1 (limit 2.3)\n"), std::string::npos) << text;
}

TEST(TerminalReport, WithoutAnAdvisoryTierThereIsNoLineOfIt) {
  Verdict pass = example_pass();
  Verdict failure = example_failure();
  pass.advisory.reset();
  failure.advisory.reset();
  EXPECT_EQ(terminal_report({pass, failure}, false).find("advisory"), std::string::npos);
}

TEST(TerminalReport, AFaultShowsItsLines) {
  Verdict verdict = example_ended(Status::error, "kernel k, at a.cu:30: race: ..");
  EXPECT_EQ(terminal_report({verdict}, false).find("source  "), std::string::npos);
  verdict.findings = {{"race", "..", "a.cu", 30}, {"race", "..", "b\x1b.cuh", 28}};
  const std::string text = terminal_report({verdict}, false);
  EXPECT_NE(text.find("\n    source     a.cu:30 (race); b\\x1b.cuh:28\n"), std::string::npos) << text;
}

TEST(TerminalReport, ColumnsAlign) {
  Verdict other = example_pass();
  other.case_name = "a_much_longer_name";
  other.kernel = std::string("k");
  const auto lines = lines_of({example_pass(), other});
  EXPECT_EQ(lines[0].find("accuracy"), lines[7].find("accuracy"));
  EXPECT_EQ(lines[0].find("0.438"), lines[7].find("0.438"));
}

TEST(TerminalReport, UninformativeNamesTheWrongAnswersThatWouldPass) {
  Verdict verdict = example_pass();
  verdict.status = Status::uninformative;
  verdict.reason = "the bound accepts a wrong answer";
  verdict.probes = {{"o", 0, "zeros", true}, {"o", 1, "flipped sign", false}};
  const std::string text = terminal_report({verdict}, false);
  EXPECT_NE(text.find("    accepts    zeros in o, head 0\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("flipped"), std::string::npos) << text;
}

TEST(TerminalReport, UninformativeShowsAFewPlacesAndCountsTheRest) {
  Verdict verdict = example_pass();
  verdict.status = Status::uninformative;
  verdict.reason = "the bound accepts wrong answers";
  for (std::int64_t head = 0; head < 6; ++head) {
    Probe probe{"o", head, "zeros", true, 3};
    probe.first.sequence = 1;
    probe.first.token = 128;
    verdict.probes.push_back(probe);
  }
  const std::string text = terminal_report({verdict}, false);
  EXPECT_NE(text.find("zeros in o, head 3 (3 places, the first at sequence 1, token 128)"),
            std::string::npos) << text;
  EXPECT_EQ(text.find("head 4"), std::string::npos) << text;
  EXPECT_NE(text.find("and 2 more"), std::string::npos) << text;
}

TEST(TerminalReport, LeavesOutTermsThatExplainNothing) {
  Verdict verdict = example_failure();
  verdict.terms = {{"tiny", 1e-9}, {"large", 0.5}, {"small", 0.001}};
  const std::string text = terminal_report({verdict}, false);
  EXPECT_NE(text.find("    bound      large = 0.5; small = 0.001\n"), std::string::npos) << text;
}

TEST(TerminalReport, NothingComparedShowsNoNumbers) {
  EXPECT_EQ(lines_of({example_ended(Status::skipped, "why")}),
            (std::vector<std::string>{
                "skipped  case  kernel  accuracy  -", "    reason     why",
                "0 passed, 0 failed, 0 nonconforming, 0 suspect, 0 uninformative, 1 skipped, "
                "0 error"}));
}

TEST(TerminalReport, ColourOnlyIfAskedFor) {
  const std::vector<Verdict> verdicts{example_pass(), example_failure()};
  EXPECT_EQ(terminal_report(verdicts, false).find('\x1b'), std::string::npos);
  EXPECT_NE(terminal_report(verdicts, true).find("\x1b[31mfailed\x1b[0m"), std::string::npos);
}

TEST(TerminalReport, NoNameCanDriveTheTerminal) {
  Verdict verdict = example_failure();
  const std::string hostile = "x\x1b[2J\n\xc3\xa9";
  for (std::string* field : {&verdict.case_name, &verdict.kernel, &verdict.reason,
                             &verdict.worst.tensor, &verdict.reproduce, &verdict.bound}) {
    *field = hostile;
  }
  verdict.notes = {"\x07"};
  verdict.advisory->off = hostile;
  for (const char c : terminal_report({verdict}, false)) {
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int{c};
  }
}

}  // namespace
}  // namespace deltaproof
