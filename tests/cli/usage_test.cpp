#include <set>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

class Usage : public CliTest {};

TEST_F(Usage, NoArgument) { expect_refusal(run(""), {"no command given", "--help"}); }
TEST_F(Usage, CheckWithoutACase) { expect_refusal(run("check"), {"no case given"}); }
TEST_F(Usage, CheckWithOptionsAlone) { expect_refusal(run("check --strict"), {"no case given"}); }
TEST_F(Usage, UnknownCommand) {
  expect_refusal(run("frobnicate"), {"unknown command frobnicate", "check"});
}
TEST_F(Usage, UnknownOption) { expect_refusal(run("check x --frobnicate"), {"--frobnicate"}); }
TEST_F(Usage, UnknownOptionOfTheCommand) { expect_refusal(run("--frobnicate"), {"--frobnicate"}); }
TEST_F(Usage, OptionWithoutItsValue) {
  expect_refusal(run("check x --seed"), {"--seed"});
  expect_refusal(run("check x --sample ''"), {"--sample"});
}
TEST_F(Usage, EmptyReportFolder) { expect_refusal(run("check x --report ''"), {"--report"}); }

TEST_F(Usage, UnknownArithmetic) {
  expect_refusal(run("check x --arithmetic fla-chunky"), {"fla-chunky", "fla-chunk,", "generic"});
}

TEST_F(Usage, UnknownTensorCore) {
  expect_refusal(run("check x --tensor-core tpu"), {"tpu", "hopper", "any"});
}

TEST_F(Usage, BadNumbers) {
  for (const char* bad : {"0", "-1", "1.5", "nan", "inf", "abc", "0.5x", "1e999"}) {
    expect_refusal(run(std::string("check x --sample=") + bad), {"--sample", "at most 1"});
  }
  for (const char* bad : {"-1", "1.5", "abc", "99999999999999999999"}) {
    expect_refusal(run(std::string("check x --seed=") + bad), {"--seed", "whole number"});
  }
}

TEST_F(Usage, AnswerNeedsACaseAndAFile) {
  expect_refusal(run("answer"), {"no case given"});
  expect_refusal(run("answer x"), {"no --out FILE given"});
}

TEST_F(Usage, ListNeedsATopic) {
  expect_refusal(run("list"), {"known are rules, arithmetics, regimes"});
  expect_refusal(run("list cats"), {"cats", "known are rules, arithmetics, regimes"});
}

TEST_F(Usage, HelpAndVersionAreNoErrors) {
  const Finished help = run("--help");
  EXPECT_EQ(help.status, 0);
  for (const char* part : {"check", "answer", "list", "Exit status"}) {
    EXPECT_NE(help.out.find(part), std::string::npos) << help.out;
  }
  const Finished check = run("check --help");
  EXPECT_EQ(check.status, 0);
  EXPECT_NE(check.out.find("--tensor-core"), std::string::npos) << check.out;
  const Finished version = run("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("deltaproof ")) << version.out;
  EXPECT_EQ(help.err + check.err + version.err, "");
}

std::set<std::string> names_in(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> names;
  for (std::string line; std::getline(stream, line);) names.insert(line.substr(0, line.find("  ")));
  return names;
}

TEST_F(Usage, ListPutsTheBareNameFirst) {
  const std::set<std::string> rules = names_in(run("list rules").out);
  EXPECT_EQ(rules.size(), 12);
  EXPECT_TRUE(rules.contains("gated_delta") && rules.contains("gsa"));
  EXPECT_TRUE(names_in(run("list arithmetics").out).contains("fla-chunk"));
  EXPECT_TRUE(names_in(run("list regimes").out).size() > 10);
  const std::set<std::string> defects = names_in(run("list defects").out);
  EXPECT_TRUE(defects.contains("ulp1") && defects.contains("L_missing_ij") && defects.size() > 60);
  EXPECT_NE(run("list defects").out.find("w_nogate  keys enter w without their decay\n"), std::string::npos);
  const std::set<std::string> properties = names_in(run("list properties").out);
  for (const char* name : {"accuracy", "schedules", "checked", "against_host", "prefix_causality", "solve_residual"}) {
    EXPECT_TRUE(properties.contains(name)) << name;
  }
}

TEST_F(Usage, OutputThatNobodyReadsIsNoCrash) {
  EXPECT_EQ(run("list rules", ">&-").status, 0);
  EXPECT_EQ(run("--help", "| true").status, 0);
  const Finished full = run("list rules", ">/dev/full");
  EXPECT_EQ(full.status, 2);
  EXPECT_NE(full.err.find("cannot write to standard output"), std::string::npos) << full.err;
}

}  // namespace
}  // namespace deltaproof
