// `deltaproof defects`: names, the report, and the exit status.
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

class Defects : public CliTest {};

TEST_F(Defects, UnknownNamesAreRefusedWithTheKnownOnes) {
  expect_refusal(run("defects --defect gate_shifty"), {"--defect", "gate_shifty", "gate_shift,"});
  expect_refusal(run("defects --regime tame"), {"--regime", "tame", "typical"});
  expect_refusal(run("defects --kernel triangular_solve"),
                 {"--kernel", "triangular_solve", "chunk, recurrent, fla-chunk"});
  expect_refusal(run("defects --seed x"), {"--seed", "whole number"});
  expect_refusal(run("defects --report ''"), {"--report"});
}

TEST_F(Defects, AKilledDefectAndASurvivingControlAreASuccess) {
  const Finished finished = run("defects --defect swap_heads --defect no_op --regime strong_decay --report reports");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_NE(finished.out.find("swap_heads"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("1 of 1 defects killed by our rules, 0 false alarms\n"), std::string::npos)
      << finished.out;
  EXPECT_EQ(finished.err, "");
  const auto json = nlohmann::json::parse(read("reports/kill_matrix.json"));
  EXPECT_EQ(json.at("schema"), "deltaproof.kill_matrix/1");
  EXPECT_EQ(json.at("rows").size(), 3);
  EXPECT_EQ(json.at("survivors"), 0);
}

// Where eta is 0 nothing is written, whatever it is divided by.
TEST_F(Defects, ASurvivorIsAFailure) {
  const Finished finished = run("defects --defect k2_bf16 --regime b_0");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  EXPECT_NE(finished.out.find("survive all our rules:\n  k2_bf16: no bit of the outputs changes"), std::string::npos)
      << finished.out;
}

TEST_F(Defects, AReportThatCannotBeWrittenIsFoundBeforeAnythingIsJudged) {
  write("file", "");
  expect_refusal(run("defects --report file"), {"report folder", "file"});
}

}  // namespace
}  // namespace deltaproof
