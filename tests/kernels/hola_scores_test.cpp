// The kernel `scores` against its arithmetic in plain C++, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/kernels/hola_fixture.hpp"
#include "tests/kernels/hola_inputs.hpp"
#include "tests/kernels/hola_mirror.hpp"

namespace deltaproof {
namespace {

constexpr CallScore every_score[] = {CallScore::beta_e, CallScore::write_norm, CallScore::e, CallScore::beta_v,
                                     CallScore::recency};

testing::AssertionResult same_floats(const std::vector<float>& expected, const std::vector<float>& actual) {
  if (expected.size() != actual.size()) return testing::AssertionFailure() << "other sizes";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&expected[i], &actual[i], sizeof(float)) == 0) continue;
    return testing::AssertionFailure() << "score " << i << " is " << actual[i] << ", not " << expected[i];
  }
  return testing::AssertionSuccess();
}

TEST(CacheScores, HaveTheBitsOfTheirOrder) {
  const auto device = host_device();
  for (const Dtype type : input_types) {
    for (const CallScore score : every_score) {
      for (const auto& [K, V] : {std::pair<std::int64_t, std::int64_t>{16, 24}, {1, 1}, {65, 130}, {256, 256}}) {
        ScoresInput input = random_scores_input(type, score, K, V);
        for (const bool normalise : {false, true}) {
          input.normalise_k = normalise;
          EXPECT_TRUE(same_floats(mirrored_scores(input), stage_scores(*device, input)))
              << dtype_name(type) << " score " << static_cast<int>(score) << " K " << K << " V " << V;
        }
      }
    }
  }
}

TEST(CacheScores, FollowEveryWriteCoefficient) {
  const auto device = host_device();
  for (const Coefficient coefficient : {Coefficient::one, Coefficient::given, Coefficient::kaczmarz,
                                        Coefficient::key_norm_only, Coefficient::learned_scalar}) {
    ScoresInput input = random_scores_input(Dtype::bf16, CallScore::beta_v, 40, 24);
    input.coefficient = coefficient;
    EXPECT_TRUE(same_floats(mirrored_scores(input), stage_scores(*device, input))) << static_cast<int>(coefficient);
  }
}

// |e| is 5 and the gate 1/2: exact numbers tell b e from e and |k| from 1.
TEST(CacheScores, AreThoseOfTheirDefinition) {
  const auto device = host_device();
  ScoresInput input;
  StageShape& s = input.shape;
  s.T = 2, s.K = 2, s.V = 2;
  input.u = {1.5f, 2.0f, 3.0f, 4.0f};
  input.k = Tensor::from(Dtype::bf16, {1, 2, 1, 2}, {3, 4, 0, 2});
  input.v = Tensor::from(Dtype::bf16, {1, 2, 1, 2}, {6, 8, 0, 1});
  input.write = Tensor::from(Dtype::f32, {1, 2, 1}, {0.5, -2});
  const auto scores = [&](CallScore score) {
    input.score = score;
    return stage_scores(*device, input);
  };
  EXPECT_EQ(scores(CallScore::beta_e), (std::vector<float>{2.5f, 5.0f}));
  EXPECT_EQ(scores(CallScore::write_norm), (std::vector<float>{12.5f, 10.0f}));
  EXPECT_EQ(scores(CallScore::beta_v), (std::vector<float>{5.0f, 2.0f}));
  EXPECT_EQ(scores(CallScore::recency), (std::vector<float>{0.0f, 1.0f}));
}

// |U| overflows, but nothing is written along a zero key.
TEST(CacheScores, ZeroKeyWritesNothing) {
  ScoresInput input;
  input.shape.T = 1, input.shape.K = 2, input.shape.V = 2;
  input.score = CallScore::write_norm;
  input.u = {3e38f, 3e38f};
  input.k = Tensor::from(Dtype::f32, {1, 1, 1, 2}, {0, 0});
  input.v = Tensor::from(Dtype::f32, {1, 1, 1, 2}, {1, 1});
  EXPECT_EQ(stage_scores(*host_device(), input), std::vector<float>{0.0f});
}

TEST(CacheScores, CheckedRunsHaveNoReport) {
  HostDeviceOptions options;
  options.build = HostBuild::checked;
  for (const CallScore score : every_score) {
    const ScoresInput input = random_scores_input(Dtype::f16, score, 40, 24);
    EXPECT_TRUE(same_floats(mirrored_scores(input), stage_scores(*host_device(options), input)));
  }
}

TEST(CacheScores, WhatIsMissingIsNamed) {
  ScoresInput input = random_scores_input(Dtype::f32, CallScore::beta_e, 8, 8);
  input.u.clear();
  try {
    stage_scores(*host_device(), input);
    FAIL();
  } catch (const KernelError& error) {
    EXPECT_STREQ(error.what(), "scores: scores: u is null");
  }
  input = random_scores_input(Dtype::f32, CallScore::beta_v, 8, 8);
  input.write = {};
  EXPECT_THROW(stage_scores(*host_device(), input), KernelError);
}

}  // namespace
}  // namespace deltaproof
