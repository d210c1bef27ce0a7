// What is compared, reduced to a picture: the same in any order, with every value counted once, and no error made smaller.
#include "properties/accuracy/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "recordings.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Problem problem_of(std::int64_t tokens, std::int64_t heads, std::vector<double> offsets = {}) {
  TensorMap inputs = small_inputs("gated_delta", {.T = tokens, .H = heads, .HV = heads});
  if (!offsets.empty()) {
    const auto count = static_cast<std::int64_t>(offsets.size());
    inputs["cu_seqlens"] = Tensor::from(Dtype::i64, {count}, offsets);
  }
  return make_problem("gated_delta", "fla-chunk", std::move(inputs), {{"chunk_size", "16"}});
}

/// One column whose errors are given and whose allowed error is 1: the errors are the ratios.
struct Column {
  Matrix value, expected, bound, radius;
  ComparedBlock block;

  Column(std::int64_t head, std::int64_t first_token, std::vector<double> errors, std::int64_t sequence = 0)
      : value(Matrix::Zero(static_cast<Index>(errors.size()), 1)), expected(value), bound(value), radius(value) {
    for (Index i = 0; i < value.rows(); ++i) value(i, 0) = errors[static_cast<std::size_t>(i)];
    bound.setConstant(0.75);
    radius.setConstant(0.25);
    block.tensor = "o";
    block.head = head;
    block.sequence = sequence;
    block.first_token = first_token;
    block.chunk_size = 16;
  }
  const ComparedBlock& compared() {
    block.value = &value;
    block.expected = &expected;
    block.bound = &bound;
    block.radius = &radius;
    return block;
  }
  Column& as_state(const char* tensor) {
    block.tensor = tensor;
    block.is_state = true;
    return *this;
  }
};

std::int64_t counted(const TensorProfile& profile) {
  return std::accumulate(profile.histogram.begin(), profile.histogram.end(), std::int64_t{0});
}

double largest(const TensorProfile& profile) {
  double most = 0;
  for (const auto& head : profile.ratio) {
    for (const double ratio : head) most = std::max(most, std::isnan(ratio) ? 0 : ratio);
  }
  return most;
}

TEST(Profile, PutsEveryTokenWhereItIs) {
  const Problem problem = problem_of(40, 2);
  ProfileBuilder builder(problem);
  builder.add(Column(1, 16, {0.5, 0, 2}).compared());
  const std::vector<TensorProfile> profiles = builder.profiles();
  ASSERT_EQ(profiles.size(), 1u);
  const TensorProfile& o = profiles[0];
  EXPECT_EQ(o.tensor, "o");
  EXPECT_EQ(o.heads, std::vector<std::int64_t>{1});
  EXPECT_EQ(o.tokens, 40);
  EXPECT_EQ(o.tokens_a_cell, 1);
  ASSERT_EQ(o.ratio[0].size(), 40u);
  EXPECT_EQ(o.ratio[0][16], 0.5);
  EXPECT_EQ(o.ratio[0][17], 0);
  EXPECT_EQ(o.ratio[0][18], 2);
  EXPECT_TRUE(std::isnan(o.ratio[0][15]));
  EXPECT_EQ(o.error[18], 2);
  EXPECT_EQ(o.allowed[18], 1);
  EXPECT_TRUE(std::isnan(o.allowed[19]));
  ASSERT_EQ(o.position.size(), 16u);
  EXPECT_EQ(o.position[2], 2);
  EXPECT_TRUE(std::isnan(o.position[3]));
}

TEST(Profile, TakesTokensTogetherWhereThereAreMany) {
  const Problem problem = problem_of(200, 1);
  ProfileBuilder builder(problem);
  builder.add(Column(0, 0, {0.1, 0.7, 0.3}).compared());
  builder.add(Column(0, 199, {0.2}).compared());
  const TensorProfile o = builder.profiles().at(0);
  EXPECT_EQ(o.tokens_a_cell, 3);
  ASSERT_EQ(o.ratio[0].size(), 67u);
  EXPECT_EQ(o.ratio[0][0], 0.7);
  EXPECT_EQ(o.error[0], 0.7);
  EXPECT_EQ(o.ratio[0][66], 0.2);
}

TEST(Profile, SequencesFollowOneAnother) {
  const Problem problem = problem_of(30, 1, {0, 10, 30});
  ProfileBuilder builder(problem);
  builder.add(Column(0, 3, {0.5}, 1).compared());
  builder.add(Column(0, 10, {0.25}, 0).as_state("final_state").compared());
  builder.add(Column(0, 16, {0.75}, 1).as_state("chunk_states").compared());
  builder.add(Column(0, 20, {0.375}, 1).as_state("final_state").compared());
  const std::vector<TensorProfile> profiles = builder.profiles();
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(profiles[0].ratio[0][13], 0.5);
  EXPECT_EQ(profiles[1].tensor, "states");
  EXPECT_EQ(profiles[1].ratio[0][9], 0.25) << "a final state, at its sequence's last token";
  EXPECT_EQ(profiles[1].ratio[0][26], 0.75) << "before token 16 of sequence 1";
  EXPECT_EQ(profiles[1].ratio[0][29], 0.375);
  EXPECT_TRUE(profiles[1].position.empty());
}

TEST(Profile, CountsEveryValueThatHasABound) {
  const Problem problem = problem_of(40, 1);
  Column column(0, 0, {0, 1e-9, 0.9e-4, 1, 1.5, 1e7, infinity, nan, 3});
  column.bound(8, 0) = infinity;
  ProfileBuilder builder(problem);
  builder.add(column.compared());
  const TensorProfile o = builder.profiles().at(0);
  std::vector<std::int64_t> expected(20, 0);
  expected[0] = 2;   // 0 and what is below
  expected[7] = 1;   // 0.9e-4
  expected[16] = 2;  // 1 and 1.5
  expected[19] = 3;  // what is above, and values that are not finite
  EXPECT_EQ(o.histogram, expected);
  EXPECT_EQ(o.histogram_from, -8);
  EXPECT_EQ(o.histogram_step, 0.5);
  EXPECT_EQ(o.ratio[0][7], infinity);
  EXPECT_EQ(o.error[7], infinity);
  EXPECT_TRUE(std::isnan(o.ratio[0][8]));
}

TEST(Profile, KeepsTheHeadsWithTheLargestRatio) {
  const Problem problem = problem_of(4, 40);
  ProfileBuilder builder(problem);
  for (std::int64_t head = 0; head < 40; ++head) builder.add(Column(head, 0, {head < 8 ? 0.0 : 0.5}).compared());
  const TensorProfile o = builder.profiles().at(0);
  std::vector<std::int64_t> expected(32);
  std::iota(expected.begin(), expected.end(), 8);
  EXPECT_EQ(o.heads, expected);
  EXPECT_EQ(counted(o), 40);
}

TEST(Profile, NeverRoundsAnErrorDown) {
  const Problem problem = problem_of(4, 1);
  const double just_too_large = std::nextafter(1, 2);
  ProfileBuilder builder(problem);
  builder.add(Column(0, 0, {just_too_large, 1, 0.12341, 3e-310}).compared());
  const TensorProfile o = builder.profiles().at(0);
  EXPECT_GT(o.ratio[0][0], 1);
  EXPECT_EQ(o.ratio[0][1], 1);
  EXPECT_EQ(o.ratio[0][2], 0.1235);
  EXPECT_GE(o.ratio[0][3], 3e-310);
}

// Error and allowed alone, rounded one way, would be the same number.
TEST(Profile, AValueJustBeyondItsBoundStaysBeyondIt) {
  const Problem problem = problem_of(4, 1);
  Column column(0, 0, {0.00072171816, 0.00072171});
  column.bound.setConstant(0.00072171);
  column.radius.setZero();
  ProfileBuilder builder(problem);
  builder.add(column.compared());
  const TensorProfile o = builder.profiles().at(0);
  EXPECT_NEAR(o.ratio[0][0], 1.0000113, 1e-7) << "more than four digits";
  EXPECT_GE(o.ratio[0][0], 0.00072171816 / 0.00072171);
  EXPECT_EQ(o.position[0], o.ratio[0][0]);
  EXPECT_EQ(o.ratio[0][1], 1);
  EXPECT_EQ(o.error[0], 0.0007218);
  EXPECT_EQ(o.allowed[0], 0.0007217);
}

// Ties on ratio and all: blocks come in any order from any thread.
TEST(Profile, IsTheSameInAnyOrder) {
  const Problem problem = problem_of(8, 2);
  std::vector<Column> columns;
  for (std::int64_t head = 0; head < 2; ++head) {
    for (std::int64_t token = 0; token < 8; ++token) {
      columns.emplace_back(head, token, std::vector<double>{0.5});
      if (head == 1) columns.back().bound *= 2, columns.back().radius *= 2, columns.back().value *= 2;
    }
  }
  ProfileBuilder forward(problem), backward(problem);
  for (auto column = columns.begin(); column != columns.end(); ++column) forward.add(column->compared());
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) backward.add(column->compared());
  const TensorProfile x = forward.profiles().at(0), y = backward.profiles().at(0);
  EXPECT_EQ(x.ratio, y.ratio);
  EXPECT_EQ(x.error, y.error);
  EXPECT_EQ(x.allowed, y.allowed);
  EXPECT_EQ(x.allowed[0], 2) << "of equal ratios that of the larger error";
}

TEST(Profile, WithoutTokensThereIsNone) {
  const Problem problem = problem_of(0, 1);
  ProfileBuilder builder(problem);
  builder.add(Column(0, 0, {0.5}).as_state("final_state").compared());
  EXPECT_TRUE(builder.profiles().empty());
}

TEST(Profile, OfARecordingHoldsWhatTheVerdictSays) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  const Verdict without = judge(file, *file.outputs);
  EXPECT_TRUE(without.profile.empty());
  AccuracyOptions options;
  options.profile = true;
  const Verdict verdict = judge(file, *file.outputs, options);
  EXPECT_EQ(verdict.worst_ratio, without.worst_ratio);
  ASSERT_EQ(verdict.profile.size(), 2u);
  EXPECT_EQ(counted(verdict.profile[0]) + counted(verdict.profile[1]), verdict.compared);
  const double most = std::max(largest(verdict.profile[0]), largest(verdict.profile[1]));
  EXPECT_GE(most, verdict.worst_ratio);
  EXPECT_LE(most, 1.001 * verdict.worst_ratio) << "rounded up to four digits";
  options.threads = 1;
  const Verdict alone = judge(file, *file.outputs, options);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(alone.profile[i].histogram, verdict.profile[i].histogram);
    EXPECT_EQ(alone.profile[i].position, verdict.profile[i].position);
  }
}

}  // namespace
}  // namespace deltaproof
