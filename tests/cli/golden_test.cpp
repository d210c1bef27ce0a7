// `deltaproof golden`: what it prints, its exit status, and what it refuses.
#include <nlohmann/json.hpp>

#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

const std::filesystem::path golden_folder = std::filesystem::path(DELTAPROOF_SOURCE_DIR) / "golden";
constexpr const char* one = "vectors/answers/delta-exact_integers.safetensors";
constexpr const char* other = "vectors/answers/softmax-huge_keys.safetensors";

class GoldenCommand : public CliTest {
 protected:
  /// Two vectors with a manifest of their own, in `g`.
  void SetUp() override {
    CliTest::SetUp();
    std::filesystem::create_directories(folder_ / "g/vectors/answers");
    auto manifest = nlohmann::ordered_json::parse(std::ifstream(golden_folder / "manifest.json"));
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const auto& entry : manifest["files"]) {
      const std::string path = entry["path"];
      if (path != one && path != other) continue;
      files.push_back(entry);
      std::filesystem::copy_file(golden_folder / path, folder_ / "g" / path);
    }
    manifest["files"] = files;
    write("g/manifest.json", manifest.dump());
  }
};

TEST_F(GoldenCommand, AnIntactFolderIsVerifiedLineByLine) {
  const Finished finished = run("golden verify g");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_NE(finished.out.find(std::string("verified  ") + one + "  delta  2496 numbers, 192 bits\n"), std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("\n2 vectors verified, 0 wrong; 2 files in the manifest, 0 differences\n"),
            std::string::npos)
      << finished.out;
}

TEST_F(GoldenCommand, AChangedFileFailsAndSaysWhere) {
  std::string bytes = read(std::string("g/") + one);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write(std::string("g/") + one, bytes);
  const Finished finished = run("golden verify g");
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  EXPECT_NE(finished.out.find(std::string("wrong     ") + one), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find(std::string("manifest  ") + one + ": SHA-256 "), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("1 vectors verified, 1 wrong; 2 files in the manifest, 1 differences\n"),
            std::string::npos)
      << finished.out;
}

TEST_F(GoldenCommand, WhatCannotBeVerifiedIsRefused) {
  expect_refusal(run("golden verify nowhere"), {"nowhere", "not a folder"});
  write("g/manifest.json", R"({"format": "deltaproof.golden/9", "files": []})");
  expect_refusal(run("golden verify g"), {"g/manifest.json", "deltaproof.golden/9"});
  expect_refusal(run("golden write g"), {"g/manifest.json", "deltaproof.golden/9"});
  std::filesystem::remove(folder_ / "g/manifest.json");
  expect_refusal(run("golden verify g"), {"g/manifest.json"});
}

TEST_F(GoldenCommand, NoVectorsProveNothing) {
  write("g/manifest.json", R"({"format": "deltaproof.golden/1", "files": []})");
  std::filesystem::remove_all(folder_ / "g/vectors");
  const Finished finished = run("golden verify g");
  EXPECT_EQ(finished.status, 3) << finished.out << finished.err;
  EXPECT_NE(finished.out.find("0 vectors verified, 0 wrong; 0 files in the manifest"), std::string::npos) << finished.out;
}

TEST_F(GoldenCommand, BadUsageIsRefused) {
  expect_refusal(run("golden"), {"golden: say verify or write"});
  expect_refusal(run("golden check g"), {"golden: say verify or write"});
  expect_refusal(run("golden verify"), {"golden: no folder given"});
  EXPECT_EQ(run("golden verify g more").status, 2);
}

// A vector is a recorded run that rounds correctly.
TEST_F(GoldenCommand, AVectorPassesAsACase) {
  const Finished finished = run(std::string("check --strict g/") + one);
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_EQ(finished.out.find("note"), std::string::npos) << finished.out;
}

}  // namespace
}  // namespace deltaproof
