#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "properties/golden/golden.hpp"
#include "properties/golden/manifest.hpp"

namespace deltaproof::golden {

/// A folder of golden data of its own, which goes away afterwards.
class GoldenFolder : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh(); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::filesystem::path fresh() {
    std::string pattern = (std::filesystem::temp_directory_path() / "deltaproof-golden-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    return pattern;
  }
  static std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  void put(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  std::filesystem::path vector_path(const std::string& name) const {
    return folder_ / drawn_folder / (name + ".safetensors");
  }

  /// Changes a vector and lists it anew, so that the manifest has nothing against it.
  void change(const std::string& path, const std::function<void(Safetensors&)>& edit) const {
    Safetensors file = read_safetensors(folder_ / path);
    edit(file);
    write_safetensors(folder_ / path, file);
    Manifest manifest = read_manifest(folder_);
    for (Entry& entry : manifest) {
      if (entry.path == path) entry = vector_entry(folder_, path);
    }
    write_manifest(folder_, manifest);
  }

  /// What `verify` has against the only vector that is wrong; "" if none is, or the folder is.
  std::string wrong() const {
    const Verified verified = verify(folder_, {.threads = 1});
    EXPECT_EQ(verified.differences, std::vector<std::string>{});
    std::string found;
    for (const VerifiedVector& vector : verified.vectors) {
      if (vector.verification.wrong.empty()) continue;
      EXPECT_EQ(found, "") << "more than one is wrong";
      found = vector.verification.wrong;
    }
    EXPECT_EQ(verified.right(), found.empty());
    return found;
  }
  /// What `verify` has against the folder.
  std::vector<std::string> differences() const { return verify(folder_, {.threads = 1}).differences; }

  std::filesystem::path folder_;
};

/// Small ones of three systems.
inline constexpr DrawnVector small_vectors[] = {
    {"delta", "rule=delta regime=near_parallel seed=1 T=6 K=4 V=3 chunk_size=4", "Small."},
    {"softmax", "rule=softmax regime=typical seed=1 T=5 K=4 V=3 input=F16", "Small."},
    {"hola", "rule=hola regime=facts seed=1 T=8 K=4 V=3 chunk_size=4 cache_size=2 cache_block=2", "Small."},
};

}  // namespace deltaproof::golden
