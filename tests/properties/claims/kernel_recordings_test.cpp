// Claims about cuts and prefixes, on a recording of an H200: its own bits, with chunks of 64 tokens.
#include <gtest/gtest.h>

#include "kernels/stepwise.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/claims/kernel_pairs.hpp"

namespace deltaproof::claims {
namespace {

const CaseFile& recording() {
  static const CaseFile file =
      read_case(DELTAPROOF_SOURCE_DIR "/golden/recorded/gdn_chunk_bf16_strong_decay.safetensors");
  return file;
}

// o of the recording beside o of two emulated runs, cut after `at` tokens.
bool cut_gives_recorded_bits(std::int64_t at) {
  const Pair pair = split(kernel("fla-chunk"))(recording().problem, at);
  return pair.got.tensors.at("o").bytes == recording().outputs->tensors.at("o").bytes;
}

TEST(KernelRecordings, ACutOnTheGridOfChunksGivesTheRecordedBitsAndNoOtherDoes) {
  EXPECT_TRUE(cut_gives_recorded_bits(64));
  EXPECT_TRUE(cut_gives_recorded_bits(128));
  EXPECT_FALSE(cut_gives_recorded_bits(63));
  EXPECT_FALSE(cut_gives_recorded_bits(65));
}

TEST(KernelRecordings, ARunOfAPrefixGivesTheRecordedRows) {
  const Tensor& recorded = recording().outputs->tensors.at("o");
  for (const std::int64_t count : {1, 64, 100}) {
    const Pair pair = prefix(kernel("fla-chunk"))(recording().problem, count);
    const auto& rows = pair.got.tensors.at("o").bytes;
    EXPECT_TRUE(std::equal(rows.begin(), rows.end(), recorded.bytes.begin())) << count;
  }
}

}  // namespace
}  // namespace deltaproof::claims
