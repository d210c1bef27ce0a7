// The recordings that ship with the project are read, whole and without complaint.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

std::vector<std::filesystem::path> recordings() {
  std::vector<std::filesystem::path> paths;
  std::error_code ignored;  // without the folder, Recordings.AreThere fails
  for (const auto& entry :
       std::filesystem::directory_iterator(DELTAPROOF_SOURCE_DIR "/golden/recorded", ignored))
    if (entry.path().extension() == ".safetensors") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Recording : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Recording, IsARunOfAKernel) {
  const CaseFile file = read_case(GetParam());
  ASSERT_TRUE(file.outputs.has_value());
  EXPECT_NE(file.outputs->find("o"), nullptr);
  EXPECT_NE(file.kernel, "recorded");
  EXPECT_NE(file.problem.options().arithmetic, "generic");
  for (const std::string& name : file.problem.unused()) EXPECT_EQ(name, "eta");
}

TEST_P(Recording, SurvivesAnotherWriting) {
  const testing::TempFolder folder;
  const Safetensors file = read_safetensors(GetParam());
  write_case(folder / "copy", file.metadata, file.tensors);
  const Safetensors copy = read_safetensors(folder / "copy");
  EXPECT_EQ(copy.metadata, file.metadata);
  ASSERT_EQ(copy.tensors.size(), file.tensors.size());
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(copy.tensors.at(name).shape, tensor.shape) << name;
    EXPECT_EQ(copy.tensors.at(name).bytes, tensor.bytes) << name;
  }
}

TEST(Recordings, AreThere) { EXPECT_FALSE(recordings().empty()); }

INSTANTIATE_TEST_SUITE_P(Shipped, Recording, ::testing::ValuesIn(recordings()),
                         [](const auto& tested) { return tested.param.stem().string(); });

}  // namespace
}  // namespace deltaproof
