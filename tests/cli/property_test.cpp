// check --property, --regime, --problem, and what a failing kernel's report holds.
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

class CheckProperty : public CliTest {
 protected:
  std::size_t lines(const std::string& text) const {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  // The lines that hold a part, without it: "deltaproof check .." after "reproduce: ".
  static std::vector<std::string> after(const std::string& text, const std::string& part) {
    std::vector<std::string> found;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (const auto at = line.find(part); at != std::string::npos) found.push_back(line.substr(at + part.size()));
    }
    return found;
  }
};

TEST_F(CheckProperty, ListsAreAsLongAsPromised) {
  EXPECT_GE(lines(run("list properties").out), 30u);
  EXPECT_GE(lines(run("list regimes").out), 18u);
  EXPECT_GE(lines(run("list defects").out), 100u);
}

TEST_F(CheckProperty, UnknownNamesAreRefusedWithTheKnownOnes) {
  expect_refusal(run("check --kernel chunk --property purity"), {"--property", "purity", "accuracy", "repeatable", "all"});
  expect_refusal(run("check --kernel chunk --regime mild"), {"--regime", "mild", "typical", "all"});
  expect_refusal(run("check x --property accuracy"), {"--property", "name one with --kernel"});
}

TEST_F(CheckProperty, NoGeneratedCaseIsNoPass) {
  const Finished none = run("check --kernel chunk --cases 0");
  EXPECT_EQ(none.status, 3);
  EXPECT_NE(none.out.find("0 passed, 0 failed"), std::string::npos) << none.out;
}

TEST_F(CheckProperty, OnlyWhatIsNamedIsJudged) {
  const Finished law = run("check --kernel recurrent --property repeatable --cases 2");
  EXPECT_EQ(law.status, 0) << law.out;
  EXPECT_EQ(after(law.out, "  repeatable  ").size(), 2u) << law.out;
  EXPECT_NE(law.out.find("2 passed, 0 failed"), std::string::npos) << law.out;
  const Finished run_property = run("check --kernel recurrent --property schedules --cases 1");
  EXPECT_NE(run_property.out.find("1 passed, 0 failed"), std::string::npos) << run_property.out;
}

// Neither a refused problem nor a kernel that was stopped may vanish because another property was named.
TEST_F(CheckProperty, WhatKeepsAPropertyFromBeingAskedIsSaid) {
  const Finished refused = run("check --kernel chunk --property schedules --problem 'T=5 K=7 V=8'");
  EXPECT_EQ(refused.status, 3) << refused.out;
  EXPECT_NE(refused.out.find("1 skipped"), std::string::npos) << refused.out;
  // Seconds, if it were not stopped: the clock may be late on a busy machine.
  const Finished stopped = run("check --kernel recurrent --property schedules --timeout 0.001 --problem 'T=8000 K=128 V=128'");
  EXPECT_EQ(stopped.status, 1) << stopped.out;
  EXPECT_NE(stopped.out.find("1 error"), std::string::npos) << stopped.out;
}

// One that compares with runs that were not asked for.
TEST_F(CheckProperty, WithoutTheRunsThatItComparesIsSkipped) {
  for (const char* one : {"schedules", "checked", "against_host"}) {
    const std::string options = std::string(one) == "against_host" ? "" : " --schedule forward";
    const Finished alone = run("check --kernel recurrent --cases 2 --property " + std::string(one) + options);
    EXPECT_EQ(alone.status, 3) << alone.out;
    EXPECT_NE(alone.out.find("was asked for (--device "), std::string::npos) << alone.out;
    EXPECT_NE(alone.out.find("0 passed, 0 failed, 0 nonconforming, 0 suspect, 0 uninformative, 1 skipped"), std::string::npos)
        << alone.out;
  }
  const Finished both =
      run("check --kernel recurrent --cases 1 --property repeatable --property checked --schedule forward");
  EXPECT_NE(both.out.find("1 passed, 0 failed, 0 nonconforming, 0 suspect, 0 uninformative, 1 skipped"), std::string::npos)
      << both.out;
}

TEST_F(CheckProperty, OneThatTheKernelDoesNotHaveIsNamedInItsVerdict) {
  const Finished none = run("check --kernel recurrent --property solve_residual");
  EXPECT_EQ(none.status, 3) << none.out;
  EXPECT_NE(none.out.find("recurrent  solve_residual "), std::string::npos) << none.out;
  EXPECT_NE(none.out.find("deltaproof check --kernel recurrent --property solve_residual"), std::string::npos) << none.out;
}

TEST_F(CheckProperty, ThoseOfAStageAreItsOwn) {
  const Finished list = run("list properties");
  for (const char* name : {"stage_nan  ", "stage_order  ", "stage_weights  ", "stage_order_of_entries  "}) {
    EXPECT_NE(list.out.find(std::string("\n") + name), std::string::npos) << list.out;
  }
  const Finished other = run("check --kernel cache_read --property stage_nan");
  EXPECT_EQ(other.status, 3) << other.out;
  EXPECT_NE(other.out.find("stage_nan is no property of cache_read"), std::string::npos) << other.out;
  const Finished own = run("check --kernel select --property stage_nan --only 7");
  EXPECT_EQ(own.status, 0) << own.out;
  EXPECT_NE(own.out.find("1 passed, 0 failed"), std::string::npos) << own.out;
  // With w = 0 there is no set to judge.
  const Finished none = run("check --kernel select --property accuracy --only 7");
  EXPECT_EQ(none.status, 3) << none.out;
  EXPECT_NE(none.out.find("with w = 0 no set has a place"), std::string::npos) << none.out;
}

TEST_F(CheckProperty, SameSeedGivesTheSameProblemsAndVerdicts) {
  const std::string command = "check --kernel recurrent --regime resets --property all --cases 1 --seed 9 --schedule forward --report ";
  run(command + "a");
  run(command + "b");
  const auto a = nlohmann::json::parse(read("a/report.json")).at("verdicts");
  const auto b = nlohmann::json::parse(read("b/report.json")).at("verdicts");
  EXPECT_GT(a.size(), 30u) << "skipped ones are listed, too";
  EXPECT_EQ(a, b);
}

TEST_F(CheckProperty, AllFamiliesTakeTurns) {
  const Finished finished = run("check --kernel recurrent --regime all --property accuracy --cases 3 --schedule forward");
  for (const char* regime : {"rand_b1_a1-0 ", "rand_sig_gdn-1 ", "strong_decay-2 "}) {
    EXPECT_NE(finished.out.find(regime), std::string::npos) << finished.out;
  }
}

TEST_F(CheckProperty, ProblemOfOneLineIsRun) {
  const Finished finished =
      run("check --kernel recurrent --schedule forward --problem 'regime=typical T=5 K=8 V=8 rule=delta edit=v@2:zero'");
  EXPECT_EQ(finished.status, 0) << finished.out;
  EXPECT_NE(finished.out.find("typical-0 delta BF16 T5 K8 V8 C64 edited"), std::string::npos) << finished.out;
}

TEST_F(CheckProperty, BadProblemIsRefused) {
  expect_refusal(run("check --kernel recurrent --problem 'T=five'"), {"problem", "'T=five'"});
  expect_refusal(run("check --kernel recurrent --problem 'regime=mild'"), {"regime=mild"});
  expect_refusal(run("check --kernel recurrent --problem ''"), {"--problem", "1 to 4096 characters"});
  expect_refusal(run(std::string("check --kernel recurrent --problem ").append(5000, 'T')), {"1 to 4096 characters"});
  expect_refusal(run("check --kernel recurrent --cases 2 --problem T=5"), {"--problem", "one generated problem"});
}

}  // namespace
}  // namespace deltaproof
