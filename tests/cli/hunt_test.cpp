// `deltaproof hunt`: names, the folder that a later run goes on from, and the exit status.
#include <nlohmann/json.hpp>

#include <csignal>

#include "reference/problem/case_file.hpp"
#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

class Hunt : public CliTest {
 protected:
  // Named files that are neither a whole state nor a whole case.
  std::vector<std::string> broken_files(const std::string& folder) const {
    std::vector<std::string> broken;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / folder)) {
      try {
        if (entry.path().extension() == ".safetensors") {
          read_case(entry.path());
        } else if (entry.path().filename() != "hunt.json" ||
                   nlohmann::json::parse(std::ifstream(entry.path())).at("schema") != "deltaproof.hunt/1") {
          broken.push_back(entry.path().filename());
        }
      } catch (const std::exception& error) {
        broken.push_back(entry.path().filename().string() + ": " + error.what());
      }
    }
    return broken;
  }

  // Runs the command beside the test, with signals as a terminal has them.
  pid_t start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), DELTAPROOF_COMMAND);
    std::vector<char*> words;
    for (std::string& each : arguments) words.push_back(each.data());
    words.push_back(nullptr);
    const std::string out = (folder_ / "out").string(), err = (folder_ / "err").string();
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder_.c_str()) == 0 && std::freopen(out.c_str(), "w", stdout) != nullptr &&
        std::freopen(err.c_str(), "w", stderr) != nullptr) {
      for (const int each : {SIGINT, SIGTERM}) std::signal(each, SIG_DFL);
      execv(words[0], words.data());
    }
    _exit(127);
  }
};

constexpr const char* small = "hunt --kernel chunk --rule gated_delta --dtype BF16 --objective relative --time 600 ";

TEST_F(Hunt, WhatCannotBeSearchedIsRefusedWithWhatCan) {
  expect_refusal(run("hunt"), {"hunt", "--kernel"});
  expect_refusal(run("hunt --kernel chonk"), {"--kernel", "chonk", "chunk"});
  expect_refusal(run("hunt --kernel triangular_solve"), {"triangular_solve", "no rule", "recurrent, chunk"});
  expect_refusal(run("hunt --kernel chunk --rule gsa"), {"rule gsa", "gated_delta"});
  expect_refusal(run("hunt --kernel chunk --dtype F64"), {"F64", "BF16, F16, F32"});
  expect_refusal(run("hunt --kernel chunk --objective fame"), {"--objective", "fame", "bound, sigma, relative"});
  expect_refusal(run("hunt --kernel chunk --defect bad_luck"), {"--defect", "bad_luck"});
  expect_refusal(run("hunt --kernel chunk --defect no_op --device cuda"), {"--defect", "--device"});
  expect_refusal(run("hunt --kernel chunk --evaluations 0"), {"--evaluations"});
  expect_refusal(run("hunt --kernel chunk --time soon"), {"--time", "soon"});
  expect_refusal(run("hunt --kernel chunk --out ''"), {"--out"});
}

TEST_F(Hunt, FindsNothingInARightKernelAndHandsOutItsWorst) {
  const Finished finished = run(std::string(small) + "--evaluations 64 --out found");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_NE(finished.out.find("relative  "), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find(" times the largest of 48 typical problems in BF16"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("reproduce: deltaproof check "), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("64 evaluations"), std::string::npos) << finished.out;
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(broken_files("found"), std::vector<std::string>{});
  const Finished judged = run("check found/relative-1.safetensors");
  EXPECT_EQ(judged.status, 0) << judged.out;
  const Finished again = run("check found/relative-1.safetensors --kernel chunk --property accuracy");
  EXPECT_EQ(again.status, 0) << again.out;
}

TEST_F(Hunt, GoesOnWhereItEndedAndRefusesAnotherSearch) {
  EXPECT_EQ(run(std::string(small) + "--evaluations 20 --out found").status, 0);
  EXPECT_EQ(run(std::string(small) + "--evaluations 40 --out found").status, 0);
  EXPECT_EQ(run(std::string(small) + "--evaluations 40 --out whole").status, 0);
  EXPECT_EQ(read("found/hunt.json"), read("whole/hunt.json"));
  EXPECT_EQ(read("found/relative-1.safetensors"), read("whole/relative-1.safetensors"));
  expect_refusal(run(std::string(small) + "--seed 2 --out found"), {"found/hunt.json", "seed 0", "seed 2"});
  expect_refusal(run("hunt --kernel recurrent --out found"), {"found/hunt.json", "kernel chunk", "kernel recurrent"});
  write("found/hunt.json", read("found/hunt.json").substr(0, 300));
  expect_refusal(run(std::string(small) + "--out found"), {"found/hunt.json", "no state of a search"});
  write("file", "");
  expect_refusal(run(std::string(small) + "--out file"), {"file"});
}

TEST_F(Hunt, AFailureIsFoundNamedAndReproduced) {
  const Finished finished = run(std::string(small) + "--defect nocarry --evaluations 16 --out found");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  EXPECT_NE(finished.out.find("failed    "), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("reproduce: deltaproof check found/failed-1.safetensors"), std::string::npos) << finished.out;
  EXPECT_EQ(run("check found/failed-1.safetensors").status, 1);
}

// The signal comes when the first batch is written; a search of ten minutes ends, and says how far it came.
TEST_F(Hunt, ASignalLeavesAllFilesWhole) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string folder = "found" + std::to_string(signal);
    const pid_t hunting = start({"hunt", "--kernel", "chunk", "--rule", "delta", "--dtype", "BF16", "--time", "600",
                                 "--out", folder});
    while (read(folder + "/hunt.json").find("\"evaluation\":") == std::string::npos) {
      ASSERT_EQ(waitpid(hunting, nullptr, WNOHANG), 0) << read("err");
      usleep(20'000);
    }
    kill(hunting, signal);
    int code = 0;
    ASSERT_EQ(waitpid(hunting, &code, 0), hunting);
    EXPECT_TRUE(WIFSIGNALED(code) && WTERMSIG(code) == signal) << code << read("err");
    EXPECT_NE(read("out").find(" evaluations"), std::string::npos) << read("out");
    EXPECT_EQ(broken_files(folder), std::vector<std::string>{});
    EXPECT_TRUE(std::filesystem::exists(folder_ / folder / "relative-1.safetensors"));
  }
}

}  // namespace
}  // namespace deltaproof
