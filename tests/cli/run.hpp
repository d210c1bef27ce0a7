#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace deltaproof {

struct Finished {
  int status = -1;  ///< exit status; 128 + signal if it was killed
  std::string out, err;
};

/// Runs the command in a folder of its own, which goes away afterwards.
class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "deltaproof-cli-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// `arguments` as a shell reads them; `redirect` in place of catching standard output.
  Finished run(const std::string& arguments, const std::string& redirect = ">out") const {
    const std::string command = "cd '" + folder_.string() + "' && '" DELTAPROOF_COMMAND "' " +
                                arguments + " " + redirect + " 2>err </dev/null";
    const int code = std::system(command.c_str());
    return {WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code), read("out"), read("err")};
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  static std::filesystem::path recording(const std::string& name) {
    return std::filesystem::path(DELTAPROOF_SOURCE_DIR) / "golden/recorded" /
           (name + ".safetensors");
  }
  /// The promise for everything that cannot be run: exit status 2, nothing on standard output, and
  /// one line that holds all of `parts`.
  void expect_refusal(const Finished& run, const std::vector<std::string>& parts) const {
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(run.err.starts_with("deltaproof: ")) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    for (const std::string& part : parts) {
      EXPECT_NE(run.err.find(part), std::string::npos) << "no '" << part << "' in: " << run.err;
    }
  }

  std::filesystem::path folder_;
};

}  // namespace deltaproof
