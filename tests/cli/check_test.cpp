#include <cmath>
#include <nlohmann/json.hpp>

#include "reference/problem/safetensors.hpp"
#include "tests/cli/case_text.hpp"
#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

constexpr const char* small = "gdn_decode_bf16_B16";

class Check : public CliTest {
 protected:
  /// A recording copied here, changed.
  void copy_recording(const std::string& name,
                      const std::function<void(Safetensors&)>& edit) const {
    Safetensors file = read_safetensors(recording(name));
    edit(file);
    write_safetensors(folder_ / "case.safetensors", file);
  }
  static std::string quoted(const std::string& name) {
    return '\'' + recording(name).string() + '\'';
  }
  nlohmann::json report() const { return nlohmann::json::parse(read("report/report.json")); }
};

TEST_F(Check, ACorrectRunPasses) {
  const Finished finished = run("check " + quoted(small));
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_TRUE(finished.out.starts_with("passed  gdn_decode_bf16_B16  ")) << finished.out;
  EXPECT_NE(finished.out.find("\n1 passed, 0 failed, 0 nonconforming, 0 suspect, 0 uninformative, "
                              "0 skipped, 0 error\n"),
            std::string::npos)
      << finished.out;
  EXPECT_EQ(finished.err, "") << "no progress in a pipe";
}

TEST_F(Check, ADamagedRunFailsAndSaysHowToSeeItAgain) {
  copy_recording(small, [](Safetensors& file) {
    Tensor& o = file.tensors.at("o");
    std::vector<double> values = o.values();
    values[5] = std::nan("");
    o = Tensor::from(o.dtype, o.shape, values);
  });
  const Finished finished = run(
      "check case.safetensors --tensor-core hopper --sample 1 --seed 7 --strict --report report");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  EXPECT_TRUE(finished.out.starts_with("failed")) << finished.out;
  EXPECT_NE(finished.out.find("reproduce: deltaproof check case.safetensors --tensor-core hopper "
                              "--strict\n"),
            std::string::npos)
      << finished.out;
  const nlohmann::json verdict = report()["verdicts"][0];
  EXPECT_EQ(verdict["status"], "failed");
  EXPECT_EQ(verdict["case"], "case");
  EXPECT_EQ(verdict["location"]["tensor"], "o");
  EXPECT_NE(read("report/junit.xml").find("<failure "), std::string::npos);
}

TEST_F(Check, AnotherArithmeticIsNamedInTheReport) {
  const Finished finished = run("check " + quoted(small) + " --arithmetic generic --report report");
  EXPECT_NE(finished.status, 2) << finished.err;
  EXPECT_EQ(report()["verdicts"][0]["arithmetic"], "generic");
  EXPECT_TRUE(
      report()["verdicts"][0]["reproduce"].get<std::string>().ends_with("--arithmetic generic"));
}

TEST_F(Check, SaysHowManyBitsDiffer) {
  const Finished finished = run("check " + quoted(small) + " --report report");
  EXPECT_NE(finished.out.find("bits: 0 of 133120 differ"), std::string::npos) << finished.out;
  const nlohmann::json conformity = report()["verdicts"][0]["conformity"];
  EXPECT_EQ(conformity["bits"]["unequal"], 0);
  EXPECT_EQ(conformity["bits"]["compared"], 133120);
  EXPECT_EQ(conformity["pin"]["violations"], 0);
}

TEST_F(Check, TakesADeclarationFromAFile) {
  write("mine.json", R"({"format": "deltaproof.arithmetic/1", "text": "fla-chunk", "merge": "ieee"})");
  const Finished finished = run("check " + quoted("gdn_chunk_bf16_strong_decay") +
                                " --arithmetic mine.json --report report");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  EXPECT_TRUE(finished.out.starts_with("nonconforming  ")) << finished.out;
  EXPECT_NE(finished.out.find("would fit: the built-in fla-chunk (merge tf32_truncated instead of ieee)"),
            std::string::npos)
      << finished.out;
  const nlohmann::json verdict = report()["verdicts"][0];
  EXPECT_EQ(verdict["status"], "nonconforming");
  EXPECT_EQ(verdict["arithmetic"], "fla-chunk");
  EXPECT_EQ(verdict["conformity"]["declaration"], "fla-chunk with merge ieee instead of tf32_truncated");
  EXPECT_EQ(verdict["conformity"]["would_fit"].size(), 1);
  EXPECT_TRUE(verdict["reproduce"].get<std::string>().ends_with("--arithmetic mine.json"));
}

TEST_F(Check, RefusesADeclarationByName) {
  const auto refused = [this](const std::string& text, std::vector<std::string> parts) {
    write("mine.json", text);
    parts.emplace_back("mine.json");
    expect_refusal(run("check " + quoted(small) + " --arithmetic mine.json"), parts);
  };
  const std::string head = R"({"format": "deltaproof.arithmetic/1", "text": "fla-chunk", )";
  refused("", {"not JSON"});
  refused(head + R"("mergee": "ieee"})", {"unknown field \"mergee\""});
  refused(head + R"("points": {"TT": "input"}})", {"unknown point \"TT\""});
  refused(head + R"("points": {"T": "bf17"}})", {"\"T\"", "bf17", "bf16"});
  refused(R"({"format": "deltaproof.arithmetic/1", "text": "flachunk"})", {"unknown text \"flachunk\""});
  refused(R"({"format": "deltaproof.arithmetic/1", "text": "fla-gla-chunk"})",
          {"fla-gla-chunk", "does not compute rule gated_delta"});
  expect_refusal(run("check " + quoted(small) + " --arithmetic ."), {"neither a known arithmetic"});
}

// Every value within the bound, and all of them 0.3 % too large.
TEST_F(Check, ASuspectRunIsAPassUnlessStrict) {
  copy_recording("gdn_chunk_bf16_strong_decay", [](Safetensors& file) {
    Tensor& o = file.tensors.at("o");
    std::vector<double> values = o.values();
    for (double& x : values) x *= 1.003;
    o = Tensor::from(o.dtype, o.shape, values);
  });
  const std::string command = "check case.safetensors --arithmetic generic --report report";
  const Finished lenient = run(command), strict = run(command + " --strict");
  for (const Finished& finished : {lenient, strict}) {
    EXPECT_TRUE(finished.out.starts_with("suspect  ")) << finished.out << finished.err;
    EXPECT_NE(finished.out.find("the error has structure: slope of o, all: "), std::string::npos) << finished.out;
    EXPECT_NE(finished.out.find(" 1 suspect, "), std::string::npos) << finished.out;
  }
  EXPECT_EQ(lenient.status, 0);
  EXPECT_EQ(strict.status, 1);
  EXPECT_EQ(report()["verdicts"][0]["status"], "suspect");
  EXPECT_NE(strict.out.find("reproduce: deltaproof check case.safetensors --arithmetic generic --strict\n"),
            std::string::npos)
      << strict.out;
  // The recording itself passes.
  const Finished recorded = run("check " + quoted("gdn_chunk_bf16_strong_decay") + " --arithmetic generic --strict");
  EXPECT_EQ(recorded.status, 0) << recorded.out;
}

TEST_F(Check, GradientsAreSkippedNotForgotten) {
  const Finished finished = run("check " + quoted("delta_backward_states") + " --report report");
  EXPECT_EQ(finished.status, 3) << finished.out << finished.err;
  ASSERT_EQ(report()["verdicts"].size(), 2);
  EXPECT_EQ(report()["verdicts"][0]["status"], "passed");
  EXPECT_EQ(report()["verdicts"][1]["property"], "gradients");
  EXPECT_EQ(report()["verdicts"][1]["status"], "skipped");
  EXPECT_NE(report()["verdicts"][1]["reason"].get<std::string>().find("dq"), std::string::npos);
}

TEST_F(Check, AProblemWithoutOutputsIsSkipped) {
  copy_recording(small, [](Safetensors& file) {
    for (const char* name : {"o", "final_state", "chunk_states"}) file.tensors.erase(name);
  });
  const Finished finished = run("check case.safetensors");
  EXPECT_EQ(finished.status, 3) << finished.out << finished.err;
  EXPECT_NE(finished.out.find("holds no outputs"), std::string::npos) << finished.out;
}

TEST_F(Check, AReportThatCannotBeWrittenStopsBeforeJudging) {
  write("file", "");
  expect_refusal(run("check " + quoted(small) + " --report file/report"), {"file/report"});
}

TEST_F(Check, ANameForTheShellAndTheTerminalIsQuoted) {
  std::filesystem::copy_file(recording(small), folder_ / "it's\x1b[2J.safetensors");
  const Finished finished = run("check *.safetensors --report report");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_EQ(finished.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(report()["verdicts"][0]["reproduce"], "deltaproof check $'it\\'s\\x1b[2J.safetensors'");
}

TEST_F(Check, AnswerWritesAFileAndLeavesTheCaseAlone) {
  copy_recording(small, [](Safetensors&) {});
  const std::string before = read("case.safetensors");
  expect_refusal(run("answer case.safetensors --out ./case.safetensors"), {"case file itself"});
  expect_refusal(run("answer case.safetensors --out nowhere/answer"), {"nowhere"});
  const Finished finished = run("answer case.safetensors --out answer.safetensors");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_TRUE(finished.out.starts_with("wrote answer.safetensors")) << finished.out;
  EXPECT_FALSE(read_safetensors(folder_ / "answer.safetensors").tensors.empty());
  EXPECT_EQ(read("case.safetensors"), before);
}

}  // namespace
}  // namespace deltaproof
