#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

/// In a folder with `old/`, the report of a recording that passes.
class CompareCommand : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    const std::string recorded = recording("gdn_decode_bf16_B16").string();
    ASSERT_EQ(run("check '" + recorded + "' --report old").status, 0);
    report_ = Json::parse(read("old/report.json"));
  }
  /// A report in which `status` is the only verdict's.
  void write_status(const std::string& name, const std::string& status) const {
    Json report = report_;
    report["summary"]["passed"] = 0;
    report["summary"][status] = 1;
    report["verdicts"][0]["status"] = status;
    write(name, report.dump());
  }

  Json report_;
};

TEST_F(CompareCommand, AReportIsTheSameAsItself) {
  for (const char* arguments :
       {"compare old old", "compare old/report.json old", "compare old old/report.json --strict"}) {
    const Finished compared = run(arguments);
    EXPECT_EQ(compared.status, 0) << compared.err;
    EXPECT_TRUE(compared.out.ends_with(
        "1 same, 0 fixed, 0 regressed, 0 new, 0 gone, 0 not run; bits: 1 unchanged, 0 changed, 0 unknown\n"))
        << compared.out;
  }
}

TEST_F(CompareCommand, ARegressionIsStatus1AndHasALine) {
  write_status("new.json", "failed");
  const Finished worse = run("compare old new.json");
  EXPECT_EQ(worse.status, 1);
  EXPECT_NE(worse.out.find("\nregressed  gdn_decode_bf16_B16 "), std::string::npos) << worse.out;
  EXPECT_NE(worse.out.find("    reproduce: deltaproof check "), std::string::npos) << worse.out;
  const Finished better = run("compare new.json old");
  EXPECT_EQ(better.status, 0);
  EXPECT_NE(better.out.find("\nfixed  gdn_decode_bf16_B16 "), std::string::npos) << better.out;
}

TEST_F(CompareCommand, WhatWasNotRunCountsIfStrict) {
  Json report = report_;
  report["verdicts"].push_back(report["verdicts"][0]);
  report["verdicts"][1]["case"] = "another";
  report["summary"]["passed"] = 2;
  write("more.json", report.dump());
  EXPECT_EQ(run("compare more.json old").status, 0);
  EXPECT_EQ(run("compare more.json old --strict").status, 1);
}

TEST_F(CompareCommand, NothingInCommonIsStatus3) {
  Json report = report_;
  report["verdicts"][0]["case"] = "another";
  write("other.json", report.dump());
  const Finished compared = run("compare old other.json");
  EXPECT_EQ(compared.status, 3);
  EXPECT_NE(compared.out.find("nothing was compared"), std::string::npos) << compared.out;
}

TEST_F(CompareCommand, JsonIsForMachines) {
  write_status("new.json", "error");
  const Finished compared = run("compare old new.json --json");
  EXPECT_EQ(compared.status, 1);
  const Json json = Json::parse(compared.out);
  EXPECT_EQ(json["schema"], "deltaproof.comparison/1");
  EXPECT_EQ(json["verdicts"][0]["change"], "regressed");
}

TEST_F(CompareCommand, AReportThatCannotBeReadIsRefusedByName) {
  expect_refusal(run("compare"), {"two reports are needed"});
  expect_refusal(run("compare old"), {"two reports are needed"});
  expect_refusal(run("compare old new"), {"cannot read new: No such file"});
  std::filesystem::create_directory(folder_ / "empty");
  expect_refusal(run("compare empty old"), {"cannot read empty/report.json: No such file"});
  const std::string good = read("old/report.json");
  write("cut.json", good.substr(0, good.size() / 2));
  expect_refusal(run("compare old cut.json"), {"cut.json: not JSON, or cut off"});
  Json report = report_;
  report["schema"] = "deltaproof.report/2";
  write("later.json", report.dump());
  expect_refusal(run("compare later.json old"),
                 {"later.json: deltaproof.report/2: this version reads deltaproof.report/1"});
  write("bomb.json", std::string(100000, '['));
  expect_refusal(run("compare bomb.json old"), {"bomb.json: nested deeper"});
}

}  // namespace
}  // namespace deltaproof
