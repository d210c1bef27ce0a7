// `--report` and `report`: the folder and its page.
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

/// In a folder with `made/`, the report of a recording that passes.
class ReportCommand : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    recorded_.append("'").append(recording("gdn_decode_bf16_B16").string()).append("'");
    ASSERT_EQ(run("check " + recorded_ + " --report made").status, 0);
  }

  std::string recorded_;
};

TEST_F(ReportCommand, AReportHasAPageThatIsMadeAnewTheSame) {
  for (const char* name : {"report.json", "junit.xml", "summary.md", "findings.sarif", "index.html"}) {
    EXPECT_NE(read(std::string("made/") + name), "") << name;
  }
  const std::string page = read("made/index.html");
  EXPECT_NE(page.find("gdn_decode_bf16_B16"), std::string::npos);
  std::filesystem::remove(folder_ / "made/index.html");
  const Finished finished = run("report made");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.out, "wrote made/index.html\n");
  EXPECT_EQ(read("made/index.html"), page);
}

TEST_F(ReportCommand, WhatCannotBeShownIsRefusedByName) {
  expect_refusal(run("report"), {"report", "no folder"});
  expect_refusal(run("report missing"), {"missing", "No such file"});
  std::filesystem::create_directory(folder_ / "empty");
  expect_refusal(run("report empty"), {"empty", "no report.json, kill_matrix.json or claims.json"});
  Json report = Json::parse(read("made/report.json"));
  report["verdicts"][0]["status"] = "splendid";
  write("made/report.json", report.dump());
  expect_refusal(run("report made"), {"made/report.json", "/verdicts/0/status", "splendid"});
  report["schema"] = "deltaproof.report/7";
  write("made/report.json", report.dump());
  expect_refusal(run("report made"), {"made/report.json", "deltaproof.report/7", "deltaproof.report/1"});
}

TEST_F(ReportCommand, ADamagedNeighbourIsRefusedBeforeAnythingIsJudged) {
  const std::string before = read("made/report.json");
  write("made/claims.json", "{\"schema\": \"deltaproof.claims/2\"}");
  expect_refusal(run("check " + recorded_ + " --report made"), {"made/claims.json", "deltaproof.claims/2"});
  EXPECT_EQ(read("made/report.json"), before);
  expect_refusal(run("defects --report made"), {"made/claims.json"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "made/kill_matrix.json"));
}

}  // namespace
}  // namespace deltaproof
