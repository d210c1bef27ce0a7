#include <map>

#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

class CheckKernel : public CliTest {
 protected:
  static std::string quoted(const std::filesystem::path& path) {
    return std::string("'").append(path.string()).append("'");
  }
  static std::int64_t lines_of(const std::string& text, const std::string& part) {
    std::istringstream lines(text);
    std::int64_t count = 0;
    for (std::string line; std::getline(lines, line);) count += line.find(part) != std::string::npos ? 1 : 0;
    return count;
  }
};

TEST_F(CheckKernel, ListNamesThem) {
  const Finished list = run("list kernels");
  EXPECT_EQ(list.status, 0);
  EXPECT_TRUE(list.out.starts_with("recurrent  ")) << list.out;
  EXPECT_EQ(lines_of(list.out, "  "), 8) << list.out;
}

TEST_F(CheckKernel, BadNamesAndNumbersAreRefused) {
  expect_refusal(
      run("check --kernel chunky"),
      {"--kernel", "chunky", "recurrent, chunk, triangular_solve, scores, select, cache_read, hola, hola_decode, all"});
  expect_refusal(run("check --kernel chunk --device tpu"), {"--device", "tpu", "host", "cuda"});
  expect_refusal(run("check --kernel chunk --regime mild"), {"--regime", "mild", "typical"});
  expect_refusal(run("check --kernel chunk --schedule fair"), {"--schedule", "fair", "warp_ahead"});
  expect_refusal(run("check --kernel chunk --cases=-1"), {"--cases", "-1", "whole number from 0 to 100000"});
  expect_refusal(run("check --kernel chunk --cases 9223372036854775807"), {"--cases", "100000"});
  expect_refusal(run("check --kernel chunk --arithmetic fp64"), {"--arithmetic", "recorded runs"});
  expect_refusal(run("check --kernel chunk --only=-1"), {"--only", "whole number from 0"});
  expect_refusal(run("check --kernel chunk --timeout nan"), {"--timeout", "nan"});
}

TEST_F(CheckKernel, OptionsThatExcludeEachOtherAreRefused) {
  expect_refusal(run("check --kernel chunk --cases 2 --only 1"), {"--cases", "--only", "not both"});
  expect_refusal(run("check x --kernel chunk --cases 2"), {"generated cases"});
  expect_refusal(run("check --kernel chunk --against-host"), {"--against-host", "--device cuda"});
  expect_refusal(run("check --kernel chunk --device cuda --schedule reverse"), {"--schedule", "--device host"});
  for (const char* option :
       {"--device cuda", "--cases 2", "--only 2", "--schedule reverse", "--timeout 2", "--against-host"}) {
    expect_refusal(run(std::string("check x ") + option), {"name one with --kernel"});
  }
}

TEST_F(CheckKernel, PassesEveryPropertyOnTheHost) {
  // And laws: two in turn, or those of a part that say something of the case; of `scores` there are none.
  const std::map<std::string, int> least{{"recurrent", 5}, {"chunk", 5}, {"triangular_solve", 5}, {"scores", 3},
                                         {"select", 4}, {"cache_read", 4}, {"hola", 5}, {"hola_decode", 5}};
  for (const auto& [kernel, verdicts] : least) {
    const Finished finished = run("check --strict --kernel " + kernel + " --only 1");
    EXPECT_EQ(finished.status, 0) << finished.out;
    for (const char* property : {"accuracy", "schedules", "checked"}) {
      EXPECT_EQ(lines_of(finished.out, std::string("  ") + property + "  "), 1) << finished.out;
    }
    EXPECT_GE(lines_of(finished.out, "passed  "), verdicts) << finished.out;
    EXPECT_NE(finished.out.find("0 failed, 0 nonconforming, 0 suspect, 0 uninformative, 0 skipped, 0 error"),
              std::string::npos)
        << finished.out;
  }
}

TEST_F(CheckKernel, RunsOnTheInputsOfACase) {
  const std::string path = quoted(recording("gdn_chunk_bf16_strong_decay"));
  const Finished finished = run("check " + path + " --kernel chunk --schedule forward");
  EXPECT_EQ(finished.status, 0) << finished.out;
  EXPECT_NE(finished.out.find("the built-in deltaproof-chunk"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("bits: 0 of "), std::string::npos) << finished.out;
}

TEST_F(CheckKernel, WhatIsNotComputedIsSkippedByName) {
  const std::string path = quoted(recording("gdn_chunk_bf16_strong_decay"));
  for (const std::string part : {"triangular_solve", "scores", "select", "cache_read"}) {
    for (const std::string& given : {path + " --kernel " + part, "--problem 'T=9' --kernel " + part}) {
      const Finished finished = run("check " + given);
      EXPECT_EQ(finished.status, 3);
      EXPECT_NE(finished.out.find(part + " computes no rule of a case"), std::string::npos) << finished.out;
    }
  }
}

TEST_F(CheckKernel, StagesOfACacheAreDrawnAndGivenAgain) {
  const Finished all = run("check --kernel select --seed 5 --schedule forward --report r");
  EXPECT_EQ(all.status, 0) << all.out;
  const auto verdicts = nlohmann::json::parse(read("r/report.json")).at("verdicts");
  EXPECT_EQ(verdicts[0].at("reproduce"), "deltaproof check --kernel select --schedule forward --seed 5 --only 0");
  for (const char* property : {"  accuracy  ", "  stage_nan  ", "  stage_order  "}) {
    EXPECT_GE(lines_of(all.out, property), 8) << property << all.out;
  }
  const Finished one = run("check --kernel select --schedule forward --seed 5 --only 2");
  EXPECT_EQ(one.status, 0) << one.out;
  EXPECT_NE(one.out.find("ties at the border-2 T"), std::string::npos) << one.out;
}

TEST_F(CheckKernel, AllOnACaseMeansThoseThatComputeItsRule) {
  const std::string path = quoted(recording("gdn_decode_bf16_B16"));
  const Finished finished = run("check " + path + " --kernel all --schedule forward");
  EXPECT_EQ(finished.status, 0) << finished.out;
  EXPECT_NE(finished.out.find("2 passed, 0 failed"), std::string::npos) << finished.out;
  const Finished cache =
      run("check --kernel all --schedule forward --property accuracy --problem 'rule=hola T=9 K=8 V=8'");
  EXPECT_NE(cache.out.find("2 passed, 0 failed"), std::string::npos) << cache.out;
  EXPECT_EQ(lines_of(cache.out, "  hola  "), 1) << cache.out;
  EXPECT_EQ(lines_of(cache.out, "  hola_decode  "), 1) << cache.out;
}

TEST_F(CheckKernel, ReportSaysWhatRanAndHowToHaveItAgain) {
  const Finished finished = run("check --kernel chunk --seed 5 --only 2 --schedule warp_last --report r");
  EXPECT_EQ(finished.status, 0) << finished.out;
  const auto report = nlohmann::json::parse(read("r/report.json"));
  const auto& verdict = report.at("verdicts").at(0);
  EXPECT_EQ(verdict.at("reproduce"),
            "deltaproof check --kernel chunk --schedule warp_last --seed 5 --regime typical --only 2");
  const auto& ran = verdict.at("ran");
  EXPECT_EQ(ran.at("device"), "host executor, schedule warp_last, seed 5");
  EXPECT_EQ(ran.at("tensor_core"), "hopper");
  EXPECT_EQ(ran.at("source_hash").get<std::string>().size(), 64u);
  for (const char* field : {"compiler", "flags", "launch"}) EXPECT_NE(ran.at(field), "") << field;
  EXPECT_EQ(report.at("environment").at("device"), "host executor, schedule warp_last, seed 5");
}

TEST_F(CheckKernel, AnotherGenerationGivesOtherBitsAndIsJudgedAsSuch) {
  const Finished finished = run("check --kernel chunk --only 0 --tensor-core ampere --schedule forward --report r");
  EXPECT_EQ(finished.status, 0) << finished.out;
  const auto verdict = nlohmann::json::parse(read("r/report.json")).at("verdicts").at(0);
  EXPECT_EQ(verdict.at("ran").at("tensor_core"), "ampere (published, not verified)");
  const auto& bits = verdict.at("conformity").at("bits");
  EXPECT_EQ(bits.at("tensor_core"), "ampere");
  EXPECT_EQ(bits.at("unequal"), 0);
  run("check --kernel chunk --only 0 --schedule forward --report s");
  const auto usual = nlohmann::json::parse(read("s/report.json")).at("verdicts").at(0);
  EXPECT_NE(usual.at("outputs_hash"), verdict.at("outputs_hash"));
}

TEST_F(CheckKernel, WithoutAGpuKernelsAreSkippedAndCounted) {
  if (std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "this machine has a GPU";
  const Finished finished = run("check --kernel all --device cuda --against-host");
  EXPECT_EQ(finished.status, 3) << finished.out;
  EXPECT_EQ(lines_of(finished.out, "reason     no CUDA device"), 8) << finished.out;
  EXPECT_NE(finished.out.find("8 skipped, 0 error"), std::string::npos) << finished.out;
}

TEST_F(CheckKernel, MissingLibraryIsAnErrorThatSaysWhereItWasLookedFor) {
  const std::string command =
      "DELTAPROOF_KERNELS=/nowhere '" DELTAPROOF_COMMAND "' check --kernel chunk > out2; echo $? >> out2";
  ASSERT_EQ(std::system(("cd '" + folder_.string() + "' && " + command).c_str()), 0);
  const std::string out = read("out2");
  EXPECT_NE(out.find("libdeltaproof_kernels_host.so is missing; looked in /nowhere"), std::string::npos) << out;
  EXPECT_TRUE(out.ends_with("1 error\n1\n")) << out;
}

}  // namespace
}  // namespace deltaproof
