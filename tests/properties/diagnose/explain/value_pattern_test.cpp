// What wrong values are: recordings with values that follow from the right ones in a known way.
#include "properties/diagnose/explain/value_pattern.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "damaged_runs.hpp"

namespace deltaproof {
namespace {

constexpr const char* recording = "gdn_chunk_bf16_strong_decay";

std::vector<ValuePattern> patterns_of(const CaseFile& file) {
  const ExaminedRun examined(file);
  return value_patterns(examined.map, file.problem);
}

const ValuePattern* find(const std::vector<ValuePattern>& patterns, const std::string& kind) {
  for (const ValuePattern& pattern : patterns) {
    if (pattern.kind == kind) return &pattern;
  }
  return nullptr;
}

TEST(ValuePattern, ARightRunHasNone) { EXPECT_TRUE(patterns_of(recorded_case(recording)).empty()); }

TEST(ValuePattern, AFactorOfAllWrongValues) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto head, auto, auto, double& value) {
    if (head == 1) value *= 0.5;
  });
  const auto patterns = patterns_of(file);
  const ValuePattern* factor = find(patterns, "factor");
  ASSERT_NE(factor, nullptr);
  EXPECT_EQ(factor->tensor, "o");
  EXPECT_LE(factor->low, 0.5);
  EXPECT_GE(factor->high, 0.5);
  EXPECT_EQ(factor->values, factor->wrong);
  EXPECT_NE(factor->sentence.find("one half"), std::string::npos) << factor->sentence;
}

TEST(ValuePattern, AMissingScaleHasItsName) {
  CaseFile file = recorded_case(recording);
  const double scale = file.problem.options().scale;
  damage(*file.outputs, "o", [&](auto, auto, auto, auto, double& value) { value /= scale; });
  const auto patterns = patterns_of(file);
  ASSERT_NE(find(patterns, "factor"), nullptr);
  EXPECT_NE(find(patterns, "factor")->sentence.find("as if the scale were missing"), std::string::npos);
}

TEST(ValuePattern, AFactorOfEachHead) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto head, auto, auto, double& value) { value *= head == 0 ? 2 : -1; });
  const auto patterns = patterns_of(file);
  ASSERT_NE(find(patterns, "factor"), nullptr);
  EXPECT_NE(find(patterns, "factor")->sentence.find("times a factor of each head: "), std::string::npos)
      << find(patterns, "factor")->sentence;
  EXPECT_NEAR(find(patterns, "factor")->low, -1, 0.05);
  EXPECT_NEAR(find(patterns, "factor")->high, 2, 0.1);
}

// The other thing that a classifier has to say: nothing.
TEST(ValuePattern, NoiseHasNoFactorAndComesFromNowhere) {
  CaseFile file = recorded_case(recording);
  std::mt19937_64 random(1);
  damage(*file.outputs, "o", [&](auto, auto, auto, auto, double& value) {
    value += static_cast<double>(random() % 1000) / 250 - 2;
  });
  EXPECT_TRUE(patterns_of(file).empty());
}

TEST(ValuePattern, ZerosAndOneValue) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto, auto t, auto, double& value) {
    if (t >= 64) value = 0;
  });
  auto patterns = patterns_of(file);
  ASSERT_EQ(patterns.size(), 1);
  EXPECT_EQ(patterns.front().kind, "zeros");
  damage(*file.outputs, "o", [](auto, auto, auto t, auto, double& value) {
    if (t >= 64) value = 7;
  });
  patterns = patterns_of(file);
  ASSERT_EQ(patterns.size(), 1);
  EXPECT_EQ(patterns.front().kind, "one value");
}

TEST(ValuePattern, NotFinite) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto head, auto t, auto column, double& value) {
    if (head == 0 && t == 5 && column < 3) value = std::numeric_limits<double>::quiet_NaN();
    if (head == 0 && t == 6 && column == 0) value = -std::numeric_limits<double>::infinity();
  });
  const auto patterns = patterns_of(file);
  ASSERT_EQ(patterns.size(), 1);
  EXPECT_EQ(patterns.front().kind, "not finite");
  EXPECT_EQ(patterns.front().values, 4);
  EXPECT_NE(patterns.front().sentence.find("3 NaN, 1 infinite"), std::string::npos);
}

TEST(ValuePattern, AFactorOfThoseThatAreFinite) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto head, auto t, auto column, double& value) {
    value = head == 0 && t == 5 && column == 3 ? std::numeric_limits<double>::quiet_NaN() : 2 * value;
  });
  const auto patterns = patterns_of(file);
  ASSERT_EQ(patterns.size(), 2);
  EXPECT_EQ(patterns.back().kind, "factor");
  EXPECT_TRUE(patterns.back().sentence.ends_with(", where they are finite")) << patterns.back().sentence;
}

TEST(ValuePattern, ValuesOfTheTokenBefore) {
  CaseFile file = recorded_case(recording);
  const Outputs right = *file.outputs;
  TensorEdit from(right, "o");
  damage(*file.outputs, "o", [&](auto outer, auto head, auto t, auto column, double& value) {
    if (t > 0) value = from.at(outer, head, t - 1, column);
  });
  const auto patterns = patterns_of(file);
  const ValuePattern* moved = find(patterns, "moved");
  ASSERT_NE(moved, nullptr);
  EXPECT_NE(moved->sentence.find("of the token before"), std::string::npos) << moved->sentence;
}

TEST(ValuePattern, ValuesOfTheOtherHead) {
  CaseFile file = recorded_case(recording);
  const Outputs right = *file.outputs;
  TensorEdit from(right, "o");
  damage(*file.outputs, "o",
         [&](auto outer, auto head, auto t, auto column, double& value) { value = from.at(outer, 1 - head, t, column); });
  const auto patterns = patterns_of(file);
  ASSERT_NE(find(patterns, "moved"), nullptr);
  EXPECT_NE(find(patterns, "moved")->sentence.find("head 0 has head 1's, head 1 has head 0's"), std::string::npos);
}

TEST(ValuePattern, ATransposedState) {
  CaseFile file = recorded_case(recording);
  ASSERT_EQ(file.problem.dims().K, file.problem.dims().V);
  const Outputs right = *file.outputs;
  TensorEdit from(right, "final_state");
  damage(*file.outputs, "final_state",
         [&](auto outer, auto head, auto row, auto column, double& value) { value = from.at(outer, head, column, row); });
  const auto patterns = patterns_of(file);
  ASSERT_NE(find(patterns, "moved"), nullptr);
  EXPECT_EQ(find(patterns, "moved")->tensor, "states");
  EXPECT_NE(find(patterns, "moved")->sentence.find("transposed"), std::string::npos);
}

}  // namespace
}  // namespace deltaproof
