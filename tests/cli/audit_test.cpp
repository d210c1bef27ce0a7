// `deltaproof audit`: ids, the report folder, the exit status.
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

class Audit : public CliTest {};

TEST_F(Audit, AnUnknownClaimIsRefusedWithNearOnes) {
  expect_refusal(run("audit --claim kernels.split_on_chunk"),
                 {"--claim", "kernels.split_on_chunk", "near are kernels.split_on_chunks", "deltaproof list claims"});
  expect_refusal(run("audit --claim zeros_rms"), {"near are kernels.zeros_rms"});
  const Finished far = run("audit --claim qqqqqqqqqqqqqqqqqqqqqq");
  expect_refusal(far, {"deltaproof list claims"});
  EXPECT_EQ(far.err.find("near"), std::string::npos) << far.err;
  expect_refusal(run("audit --claim ''"), {"deltaproof list claims"});
  expect_refusal(run("audit --seed -1"), {"--seed", "whole number"});
  expect_refusal(run("audit --report ''"), {"--report"});
}

// What a paper gets wrong is what the audit is for: it succeeds.
TEST_F(Audit, ARefutedClaimIsASuccess) {
  const Finished finished = run("audit --claim kernels.rules_reject_nothing --claim kernels.rules_reject_nan --seed 3");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_TRUE(finished.out.starts_with("holds                    kernels.rules_reject_nan")) << finished.out;
  EXPECT_NE(finished.out.find("deltaproof audit --claim kernels.rules_reject_nothing --seed 3\n"), std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("\n1 hold, 0 hold under a condition, 1 refuted, 0 not decidable; of the "), std::string::npos)
      << finished.out;
  for (const char* part : {"    statement       A rule that accepts a run has compared something.\n", "  a reading ",
                           "    given           with the tests", "    method          each of the eight rules"}) {
    EXPECT_NE(finished.out.find(part), std::string::npos) << part << finished.out;
  }
  EXPECT_EQ(finished.err, "");
}

TEST_F(Audit, TheReportHasTheLedgerAndAPage) {
  EXPECT_EQ(run("audit --claim kernels.rules_reject_nothing --report reports").status, 0);
  const auto json = nlohmann::json::parse(read("reports/claims.json"));
  EXPECT_EQ(json.at("schema"), "deltaproof.claims/1");
  EXPECT_EQ(json.at("counts").at("refuted"), 1);
  EXPECT_NE(json.at("environment").at("version"), "");
  EXPECT_NE(read("reports/index.html").find("kernels.rules_reject_nothing"), std::string::npos);
}

TEST_F(Audit, ADamagedNeighbourIsRefusedBeforeAnythingIsChecked) {
  std::filesystem::create_directory(folder_ / "reports");
  write("reports/kill_matrix.json", "{\"schema\": \"deltaproof.kill_matrix/9\"}");
  expect_refusal(run("audit --report reports"), {"kill_matrix.json"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "reports/claims.json"));
  write("file", "");
  expect_refusal(run("audit --report file"), {"file"});
}

}  // namespace
}  // namespace deltaproof
