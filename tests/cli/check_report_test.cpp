// What a report knows of a verdict beside its numbers: profiles of errors, and explanations of failures.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

class CheckReport : public CliTest {
 protected:
  // golden's gdn_chunk_bf16_strong_decay, with one sign of `o` flipped: token 70, head 1, column 12.
  void write_broken(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(recording("gdn_chunk_bf16_strong_decay"), std::ios::binary).rdbuf();
    std::string bytes = text.str();
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), sizeof header);
    const Json o = Json::parse(bytes.substr(8, header)).at("o");
    const auto shape = o.at("shape").get<std::vector<std::size_t>>();
    const std::size_t element = (70 * shape[2] + 1) * shape[3] + 12;
    bytes[8 + header + o.at("data_offsets")[0].get<std::size_t>() + 2 * element + 1] ^= '\x80';
    write(name, bytes);
  }
  Json report(const std::string& folder = "report") const { return Json::parse(read(folder + "/report.json")); }
  static double largest(const Json& profile) {
    double most = 0;
    for (const Json& head : profile.at("ratio")) {
      for (const Json& ratio : head) most = std::max(most, ratio.is_number() ? ratio.get<double>() : 0);
    }
    return most;
  }
};

TEST_F(CheckReport, AFailureIsExplainedAndPictured) {
  write_broken("broken.safetensors");
  const Finished finished = run("check broken.safetensors --report report");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  const Json verdict = report()["verdicts"][0];
  ASSERT_FALSE(verdict["explained"].empty()) << verdict["notes"];
  EXPECT_EQ(verdict["explained"][0], "failed: 1 of 49408 values are further from the right answer than LOC allows");
  std::string text;
  for (const Json& line : verdict["explained"]) text += line.get<std::string>() + "\n";
  EXPECT_NE(text.find("sequence 0, token 70 (chunk 1, position 6), head 1, column 12"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);

  ASSERT_EQ(verdict["profile"].size(), 2);
  const Json& o = verdict["profile"][0];
  EXPECT_EQ(o["tensor"], "o");
  const double worst = verdict["worst_ratio"].get<double>();
  EXPECT_GE(largest(o), worst);
  EXPECT_LE(largest(o), 1.001 * worst);
  EXPECT_EQ(o["position"][6], largest(o));
  EXPECT_EQ(o["ratio"][1][70 / o["tokens_a_cell"].get<std::int64_t>()], largest(o));
  EXPECT_LT(largest(verdict["profile"][1]), 1) << "no state is wrong";
}

// Verdict and exit status are those of a run without a report; what passes is not explained.
TEST_F(CheckReport, ChangesNoVerdict) {
  write_broken("broken.safetensors");
  const std::string both = "check broken.safetensors '" + recording("gdn_chunk_bf16_strong_decay").string() + "'";
  const Finished without = run(both);
  const Finished with = run(both + " --report report");
  EXPECT_EQ(with.status, without.status);
  EXPECT_EQ(with.out, without.out);
  const Json verdicts = report()["verdicts"];
  EXPECT_EQ(verdicts[0]["status"], "failed");
  EXPECT_EQ(verdicts[1]["status"], "passed");
  EXPECT_TRUE(verdicts[1]["explained"].empty());
  EXPECT_EQ(verdicts[1]["findings"], Json::array());
}

TEST_F(CheckReport, ExplainsAFewFailuresAndSaysHowToHaveTheRest) {
  std::string names;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    const std::string file = std::string(name).append(".safetensors");
    write_broken(file);
    names += " " + file;
  }
  EXPECT_EQ(run("check" + names + " --report report").status, 1);
  const Json verdicts = report()["verdicts"];
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(verdicts[i]["explained"].empty()) << verdicts[i]["notes"];
  EXPECT_TRUE(verdicts[4]["explained"].empty());
  EXPECT_EQ(verdicts[4]["notes"].back(),
            "not explained: 4 before it are, a report has no more; to have it, run deltaproof explain e.safetensors");
}

TEST_F(CheckReport, AKernelThatIsRunIsPictured) {
  EXPECT_EQ(run("check --kernel chunk --only 25 --schedule random --report report").status, 0);
  const Json verdicts = report()["verdicts"];
  ASSERT_EQ(verdicts[0]["property"], "accuracy");
  EXPECT_EQ(verdicts[0]["profile"].size(), 2);
}

}  // namespace
}  // namespace deltaproof
