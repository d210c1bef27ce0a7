// The published rules: what they measure, and what they take for right.
#include <gtest/gtest.h>

#include <limits>

#include "strong_decay.hpp"

namespace deltaproof {
namespace {

const PublishedRules& rules() {
  static const PublishedRules published(strong_decay().problem);
  return published;
}

Outputs damaged(std::string_view id) { return strong_decay_bench().outputs(*find_defect(id), 0); }

Outputs with_o(double value) {
  Outputs outputs = *strong_decay().outputs;
  Tensor& o = outputs.tensors.at("o");
  o = Tensor::from(o.dtype, o.shape, std::vector<double>(static_cast<std::size_t>(o.size()), value));
  return outputs;
}

TEST(PublishedRules, AcceptTheRecording) {
  EXPECT_TRUE(rules().accept(*strong_decay().outputs));
  EXPECT_TRUE(rules().accept_loosely(*strong_decay().outputs));
  EXPECT_GT(rules().error_of_o(*strong_decay().outputs).relative_rms, 0);
}

TEST(PublishedRules, ZerosAreOffByTheAnswerItself) {
  EXPECT_DOUBLE_EQ(rules().error_of_o(with_o(0)).relative_rms, 1);
  EXPECT_FALSE(rules().accept(with_o(0)));
}

// No output of this run is as large as the 0.3 that the looser rule forgives.
TEST(PublishedRules, TheLooserOneAcceptsZerosSwappedHeadsAndLateTokens) {
  EXPECT_TRUE(rules().accept_loosely(with_o(0)));
  EXPECT_TRUE(rules().accept_loosely(damaged("swap_heads")));
  EXPECT_TRUE(rules().accept_loosely(damaged("shift_token")));
  EXPECT_FALSE(rules().accept(damaged("swap_heads")));
}

TEST(PublishedRules, BothRejectWhatIsGrosslyWrong) {
  EXPECT_FALSE(rules().accept_loosely(with_o(1)));
  EXPECT_FALSE(rules().accept(with_o(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_FALSE(rules().accept_loosely(with_o(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_FALSE(rules().accept_loosely(damaged("transposed_S")));
}

TEST(PublishedRules, TheFinalStateIsJudgedByItself) {
  const Outputs outputs = damaged("transposed_ST");
  EXPECT_TRUE(rules().error_of_o(outputs).accepted());
  EXPECT_FALSE(rules().error_of_state(outputs).accepted());
  EXPECT_FALSE(rules().accept(outputs));
}

TEST(PublishedRules, TheirThresholds) {
  EXPECT_TRUE((PublishedError{0.0049, 9}.accepted()));
  EXPECT_FALSE((PublishedError{0.005, 0}.accepted()));
  EXPECT_TRUE((PublishedError{0.0099, 9}.accepted_loosely()));
  EXPECT_TRUE((PublishedError{1, 0.3}.accepted_loosely()));
  EXPECT_FALSE((PublishedError{0.01, 0.31}.accepted_loosely()));
}

}  // namespace
}  // namespace deltaproof
