#include "properties/diagnose/measured.hpp"

#include <gtest/gtest.h>

#include <string>

#include "kernels/recorded.hpp"
#include "properties/defects/tensor_edit.hpp"

namespace deltaproof {
namespace {

// A recording with its states: two chunks of 64 tokens and one of 2.
CaseFile recording() { return read_case(DELTAPROOF_SOURCE_DIR "/golden/recorded/gdn_chunk_bf16_strong_decay.safetensors"); }

void flip(CaseFile& file, const std::string& tensor, std::int64_t outer, std::int64_t row) {
  TensorEdit edit(*file.outputs, tensor);
  double& value = edit.at(outer, 1, row, 12);
  value = -value - 1;
  edit.write(*file.outputs);
}

Measured measured(const CaseFile& file) {
  AccuracyOptions options;
  options.conformity = false;
  return measure(file.problem, RecordedKernel(file), options);
}

TEST(Measured, ARightRunHasNoStageAndEveryComparedValue) {
  const CaseFile file = recording();
  const Measured run = measured(file);
  EXPECT_EQ(failure_stage(run), FailureStage::none);
  std::int64_t values = 0;
  double worst = 0;
  for (const MeasuredBlock& block : run.blocks) {
    values += block.value.size();
    EXPECT_FALSE(block.is_bad());
    for (Index i = 0; i < block.value.rows(); ++i) {
      for (Index j = 0; j < block.value.cols(); ++j) worst = std::max(worst, block.ratio(i, j));
    }
  }
  EXPECT_EQ(values, run.verdict.compared);
  EXPECT_NEAR(worst, run.verdict.worst_ratio, 1e-12 * worst);
}

TEST(Measured, AWrongOutputIsAReadAndAWrongStateIsACarry) {
  CaseFile file = recording();
  flip(file, "o", 0, 70);
  EXPECT_EQ(failure_stage(measured(file)), FailureStage::read);
  flip(file, "chunk_states", 1, 3);  // after token 128, behind token 70
  EXPECT_EQ(failure_stage(measured(file)), FailureStage::step);
  file = recording();
  flip(file, "chunk_states", 0, 3);
  EXPECT_EQ(failure_stage(measured(file)), FailureStage::carry);
}

}  // namespace
}  // namespace deltaproof
