// Runs of real kernels pass under the bound of the arithmetic they declare.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "recordings.hpp"

namespace deltaproof {
namespace {

class EveryRecording : public testing::TestWithParam<std::string> {};

std::string expected_bound(const CaseFile& file) {
  if (file.problem.options().arithmetic == "fla-recurrent") return "ADJ (token recurrence)";
  return file.outputs->find("chunk_states") != nullptr ? "LOC" : "ADJ";
}

TEST_P(EveryRecording, PassesUnderItsDeclaredArithmetic) {
  const CaseFile file = recording(GetParam());
  ASSERT_TRUE(file.outputs.has_value());
  const Verdict verdict = judge(file, *file.outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_EQ(verdict.bound, expected_bound(file));
  EXPECT_EQ(verdict.arithmetic, file.problem.options().arithmetic);
  EXPECT_EQ(verdict.violations, 0);
  EXPECT_FALSE(verdict.has_first_bad);
  EXPECT_TRUE(verdict.reason.empty()) << verdict.reason;
  EXPECT_GT(verdict.worst_ratio, 0);
  EXPECT_LE(verdict.worst_ratio, 1);
  EXPECT_EQ(verdict.outputs_hash.size(), 64u);
}

// Sequences here cover all tokens, so that a value left out of the comparison shows as a smaller
// count.
TEST_P(EveryRecording, IsComparedValueByValue) {
  const CaseFile file = recording(GetParam());
  std::int64_t values = 0;
  for (const auto& [name, tensor] : file.outputs->tensors) values += tensor.size();
  EXPECT_EQ(judge(file, *file.outputs).compared, values);
}

// Every wrong answer that the verdict's probes offer is refused, for every tensor and head.
TEST_P(EveryRecording, IsHeldToAnInformativeBound) {
  const CaseFile file = recording(GetParam());
  const Verdict verdict = judge(file, *file.outputs);
  std::set<std::pair<std::string, std::int64_t>> covered;
  for (const Probe& probe : verdict.probes) {
    EXPECT_FALSE(probe.accepted) << probe.tensor << " head " << probe.head << ": "
                                 << probe.wrong_answer;
    covered.insert({probe.tensor, probe.head});
  }
  const auto heads = static_cast<std::size_t>(file.problem.dims().HV);
  EXPECT_EQ(covered.size(), file.outputs->tensors.size() * heads);
}

INSTANTIATE_TEST_SUITE_P(Recordings, EveryRecording, testing::ValuesIn(all_recordings()),
                         [](const auto& each) { return each.param; });

TEST(Recordings, AreAllListed) {
  std::set<std::string> on_disk;
  for (const auto& entry :
       std::filesystem::directory_iterator(DELTAPROOF_SOURCE_DIR "/golden/recorded")) {
    if (entry.path().extension() == ".safetensors") on_disk.insert(entry.path().stem().string());
  }
  EXPECT_EQ(on_disk, std::set<std::string>(all_recordings().begin(), all_recordings().end()));
}

}  // namespace
}  // namespace deltaproof
