// `deltaproof shrink`: what it refuses, what it writes, and what is left when it is interrupted.
#include <unistd.h>

#include <csignal>

#include "reference/problem/safetensors.hpp"
#include "tests/cli/case_text.hpp"
#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

class Shrink : public CliTest {
 protected:
  // A recording with one output of its last chunk far off.
  void write_wrong(const std::string& name, const std::string& of) const {
    Safetensors file = read_safetensors(recording(of));
    Tensor& o = file.tensors.at("o");
    const std::size_t at = o.bytes.size() / 10 * 9 / 2 * 2;
    o.bytes[at] = std::byte{0x10}, o.bytes[at + 1] = std::byte{0x42};  // 36 in bf16
    write_safetensors(folder_ / name, file);
  }
  bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) found.push_back(entry.path().filename());
    return found;
  }
};

TEST_F(Shrink, WhatCannotBeRunIsRefused) {
  write("case", CaseText().bytes());
  expect_refusal(run("shrink"), {"shrink: no case given"});
  expect_refusal(run("shrink case"), {"no --out FILE given"});
  expect_refusal(run("shrink case --out case"), {"--out names the case file itself"});
  expect_refusal(run("shrink case --out nowhere/small"), {"nowhere", "no such folder"});
  expect_refusal(run("shrink none --out small"), {"none"});
  expect_refusal(run("shrink case --out small --kernel chunky"), {"--kernel", "chunky", "chunk"});
  expect_refusal(run("shrink case --out small --device cuda"), {"--device", "--kernel"});
  expect_refusal(run("shrink case --out small --kernel chunk --arithmetic fp64"), {"--arithmetic", "recorded runs"});
  expect_refusal(run("shrink case --out small --arithmetic fp65"), {"--arithmetic", "fp65"});
  expect_refusal(run("shrink case --out small --time 0"), {"--time"});
  expect_refusal(run("shrink case --out small --timeout x"), {"--timeout"});
  write("broken", CaseText().bytes().substr(0, 100));
  expect_refusal(run("shrink broken --out small"), {"broken"});
  EXPECT_FALSE(has("small"));
}

TEST_F(Shrink, AWrongRecordingBecomesASmallFileThatFailsAlone) {
  write_wrong("wrong.safetensors", "gdn_chunk_bf16_strong_decay");
  const Finished finished = run("shrink wrong.safetensors --out small.safetensors");
  EXPECT_EQ(finished.status, 1) << finished.err;
  EXPECT_EQ(finished.err, "");
  for (const char* part : {"wrong.safetensors: accuracy failed by LOC, stage read, first in o\n", "1 head, K = ",
                           "smaller cases fail in the same way; none that is smaller still\n",
                           "wrote small.safetensors and small_test.cpp\n", "check:  deltaproof check small.safetensors\n",
                           "python: from safetensors.torch import load_file"}) {
    EXPECT_NE(finished.out.find(part), std::string::npos) << part << "\n" << finished.out;
  }
  const Finished check = run("check small.safetensors");
  EXPECT_EQ(check.status, 1) << check.out;
  EXPECT_NE(check.out.find("further from the right answer"), std::string::npos) << check.out;
  const Safetensors small = read_safetensors(folder_ / "small.safetensors");
  EXPECT_EQ(small.tensors.at("o").shape[2], 1);
  EXPECT_EQ(small.tensors.at("o").shape[3], 1);
  EXPECT_LT(small.tensors.at("q").shape[1], 65);
  EXPECT_TRUE(small.metadata.at("note").find("shrunk from wrong.safetensors: accuracy failed") != std::string::npos);
  EXPECT_NE(read("small_test.cpp").find("TEST(small, RecordedRunFails)"), std::string::npos);

  const std::string bytes = read("small.safetensors"), test = read("small_test.cpp");
  EXPECT_EQ(run("shrink wrong.safetensors --out small.safetensors").status, 1);
  EXPECT_TRUE(read("small.safetensors") == bytes);
  EXPECT_EQ(read("small_test.cpp"), test);
}

TEST_F(Shrink, ARightRecordingIsNotShrunk) {
  std::string right = recording("gdn_chunk_bf16_strong_decay").string();
  right.insert(right.begin(), '\'');
  right.push_back('\'');
  const Finished finished = run("shrink " + right + " --out small");
  EXPECT_EQ(finished.status, run("check " + right).status) << finished.err;
  EXPECT_EQ(finished.status, 0);
  EXPECT_NE(finished.out.find("nothing to shrink: accuracy is passed"), std::string::npos) << finished.out;
  EXPECT_FALSE(has("small"));
  EXPECT_FALSE(has("small_test.cpp"));
}

TEST_F(Shrink, WithoutOutputsOrAKernelThatComputesItNothingIsJudged) {
  CaseText text;
  write("odd", text.bytes());  // K = 3
  const Finished refused = run("shrink odd --out small --kernel chunk");
  EXPECT_EQ(refused.status, 3) << refused.err;
  EXPECT_NE(refused.out.find("nothing to shrink: accuracy is skipped: chunk: K = 3"), std::string::npos) << refused.out;
  const Finished part = run("shrink odd --out small --kernel triangular_solve");
  EXPECT_EQ(part.status, 3);
  EXPECT_NE(part.err.find("triangular_solve computes no rule of a case"), std::string::npos) << part.err;
  text.tensors.erase("o");
  write("inputs", text.bytes());
  const Finished none = run("shrink inputs --out small");
  EXPECT_EQ(none.status, 3);
  EXPECT_NE(none.err.find("holds no outputs; give --kernel"), std::string::npos) << none.err;
  EXPECT_FALSE(has("small"));
}

TEST_F(Shrink, ABudgetEndsTheSearchAndSaysSo) {
  write_wrong("wrong.safetensors", "gdn_chunk_bf16_strong_decay");
  const Finished finished = run("shrink wrong.safetensors --out small --time 0.000001");
  EXPECT_EQ(finished.status, 1) << finished.err;
  EXPECT_NE(finished.out.find("the search ended early: 1e-06 seconds were over\n"), std::string::npos) << finished.out;
  EXPECT_EQ(run("check small").status, 1);
}

// A whole file or none, whenever it comes; nothing is left beside them.
TEST_F(Shrink, AnInterruptionLeavesAWholeFileOrNone) {
  write_wrong("wrong.safetensors", "kla_trained_layer0_T512");
  for (const auto& [signal, delay] : {std::pair{SIGTERM, "0.02"}, std::pair{SIGINT, "0.4"}, std::pair{SIGTERM, "1.2"}}) {
    std::filesystem::remove(folder_ / "small");
    const std::string name = signal == SIGINT ? "INT" : "TERM";
    // A shell without job control starts what is in the background with SIGINT ignored; timeout does not.
    const std::string line = "cd '" + folder_.string() + "' && timeout --preserve-status -s " + name + " " + delay + " '" +
                             DELTAPROOF_COMMAND "' shrink wrong.safetensors --out small >out 2>err </dev/null";
    const int code = std::system(line.c_str());
    EXPECT_TRUE(WIFEXITED(code) ? WEXITSTATUS(code) == 1 || WEXITSTATUS(code) == 128 + signal : WTERMSIG(code) == signal)
        << code << read("err");
    if (has("small")) {
      EXPECT_EQ(run("check small").status, 1) << read("out");
    }
    for (const std::string& left : names()) EXPECT_EQ(left.find(".tmp"), std::string::npos) << left;
  }
}

}  // namespace
}  // namespace deltaproof
