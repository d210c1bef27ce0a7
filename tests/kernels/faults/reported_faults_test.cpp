// Faults in the source of a built-in kernel, as the command's report has them: one that makes values wrong is explained, one
// that the checker sees has its lines.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

class ReportedFaults : public CliTest {
 protected:
  void TearDown() override {
    unsetenv("DELTAPROOF_KERNELS");
    CliTest::TearDown();
  }
  // The command takes the library with this fault for `build`, and finds no other but that of the host.
  void take(const std::string& fault, const std::string& build) const {
    const auto file = [](const std::string& of) { return std::string("libdeltaproof_kernels_").append(of).append(".so"); };
    std::filesystem::create_symlink(library_with(fault), folder_ / file(build));
    const std::filesystem::path host = file("host");
    if (build != "host") std::filesystem::create_symlink(DELTAPROOF_KERNEL_LIBRARIES / host, folder_ / host);
    setenv("DELTAPROOF_KERNELS", folder_.c_str(), 1);
  }
  static std::filesystem::path library_with(const std::string& fault) {
    return std::filesystem::path(DELTAPROOF_FAULTS) / fault / "libdeltaproof_kernels_checked.so";
  }
  Json verdicts() const { return Json::parse(read("report/report.json"))["verdicts"]; }
  // Of the source with the fault in it, or of one as it is.
  static std::string line_of(const std::string& fault, const Json& finding) {
    const auto file = finding.at("file").get<std::string>();
    std::filesystem::path path = std::filesystem::path(DELTAPROOF_FAULTS) / fault / file;
    if (!std::filesystem::exists(path)) path = std::filesystem::path(DELTAPROOF_SOURCE_DIR) / file;
    std::ifstream source(path);
    std::string line;
    for (std::int64_t number = 0; number < finding.at("line").get<std::int64_t>(); ++number) {
      if (!std::getline(source, line)) return {};
    }
    return line;
  }
};

TEST_F(ReportedFaults, WrongValuesAreExplained) {
  take("recurrent_scale", "host");
  const Finished finished = run("check --kernel recurrent --schedule random --only 1 --report report");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  const Json verdict = verdicts()[0];
  EXPECT_EQ(verdict["status"], "failed") << verdict["reason"];
  EXPECT_EQ(verdict["findings"], Json::array()) << "numbers have no line";
  EXPECT_EQ(verdict["profile"].size(), 2);
  std::string text;
  for (const Json& line : verdict["explained"]) text += line.get<std::string>() + "\n";
  EXPECT_TRUE(text.starts_with("failed: ")) << text << verdict["notes"];
  EXPECT_NE(text.find("(scale_none)"), std::string::npos) << text;
}

// Without its barrier a warp loads the next tokens while another still reads these: the finding is one of the two accesses,
// and the other one stands beside it.
TEST_F(ReportedFaults, ADroppedBarrierNamesTheLinesOfBothAccesses) {
  const std::string fault = "recurrent_barrier_before_stage";
  take(fault, "checked");
  const Finished finished = run("check --kernel recurrent --property checked --only 1 --report report");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  const Json verdict = verdicts()[0];
  EXPECT_EQ(verdict["status"], "error") << verdict["reason"];
  EXPECT_EQ(verdict["property"], "checked");
  ASSERT_EQ(verdict["findings"].size(), 2) << verdict["reason"];
  std::string lines;
  for (const Json& finding : verdict["findings"]) {
    EXPECT_EQ(finding["kind"], "race");
    EXPECT_TRUE(finding["file"].get<std::string>().starts_with("kernels/recurrent")) << finding;
    lines += line_of(fault, finding) + "\n";
  }
  EXPECT_NE(lines.find("to[i] = "), std::string::npos) << "the load into shared memory\n" << lines;
  EXPECT_NE(lines.find("x[lane"), std::string::npos) << "the product that reads it\n" << lines;
  EXPECT_NE(finished.out.find("\n    source     kernels/recurrent"), std::string::npos) << finished.out;
}

}  // namespace
}  // namespace deltaproof
