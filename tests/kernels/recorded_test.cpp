#include "kernels/recorded.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace deltaproof {
namespace {

CaseFile recording() {
  return read_case(std::filesystem::path(DELTAPROOF_SOURCE_DIR) /
                   "golden/recorded/mamba2_chunk_bf16.safetensors");
}

TEST(RecordedKernel, ReturnsWhatWasRecorded) {
  const CaseFile file = recording();
  const RecordedKernel kernel(file);
  EXPECT_EQ(kernel.name(), file.kernel);
  EXPECT_EQ(kernel.arithmetic(), "fla-simple-gla-chunk");
  const Outputs outputs = kernel.run(file.problem);
  ASSERT_NE(outputs.find("o"), nullptr);
  EXPECT_EQ(outputs.find("o")->bytes, file.outputs->find("o")->bytes);
}

TEST(RecordedKernel, ArithmeticFollowsTheProblem) {
  CaseFile file = recording();
  file.problem = file.problem.with_arithmetic("fp64");
  EXPECT_EQ(RecordedKernel(file).arithmetic(), "fp64");
}

TEST(RecordedKernel, SaysThatThereIsNothingToReturn) {
  CaseFile file = recording();
  file.outputs.reset();
  try {
    RecordedKernel(file).run(file.problem);
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("mamba2_chunk_bf16"), std::string::npos) << message;
    EXPECT_NE(message.find("without recorded outputs"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace deltaproof
