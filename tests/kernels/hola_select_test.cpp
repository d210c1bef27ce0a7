// The kernel `select` against the definition of the sets.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "tests/kernels/hola_fixture.hpp"
#include "tests/kernels/hola_inputs.hpp"

namespace deltaproof {
namespace {

// Sets of a head of one sequence, as the kernel gives them.
std::vector<std::int32_t> selected(const Device& device, const std::vector<float>& scores, std::int64_t w,
                                   std::int64_t C) {
  StageShape shape;
  shape.T = static_cast<std::int64_t>(scores.size());
  return stage_select(device, {shape, w, C, scores});
}

TEST(CacheSelect, IsTheTopByTheDefinitionAtEveryBlock) {
  const auto device = host_device();
  EXPECT_TRUE(rc::check([&](std::uint64_t seed) {
    const auto w = *rc::gen::elementOf(std::vector<std::int64_t>{0, 1, 2, 3, 7, 16, 33});
    const auto C = *rc::gen::elementOf(std::vector<std::int64_t>{1, 2, 5, 16, 31});
    const auto T = *rc::gen::elementOf(std::vector<std::int64_t>{1, w - 1, w, w + 1, 2 * w, 2 * w + 3, 70});
    RC_PRE(T > 0);
    const int values = *rc::gen::element(1, 2, 5, 1000);  // few: many ties
    const std::vector<float> scores = random_scores(T, values, seed);
    RC_ASSERT(selected(*device, scores, w, C) == counted_sets(scores, w, C));
  }));
}

TEST(CacheSelect, AReversedTieRuleIsSeen) {
  const auto device = host_device();
  const std::vector<float> scores = random_scores(40, 2, 1);
  EXPECT_EQ(selected(*device, scores, 7, 5), counted_sets(scores, 7, 5));
  EXPECT_NE(selected(*device, scores, 7, 5), counted_sets(scores, 7, 5, true));
}

TEST(CacheSelect, HoldsItsLargestCapacityAndBlock) {
  const auto device = host_device();
  for (const auto& [w, C, T] : {std::array<std::int64_t, 3>{1024, 1024, 3000}, {1024, 1, 40}, {1, 1024, 2100}}) {
    const std::vector<float> scores = random_scores(T, 300, 3);
    EXPECT_EQ(selected(*device, scores, w, C), counted_sets(scores, w, C)) << w << ' ' << C;
  }
}

TEST(CacheSelect, RecencyKeepsTheLastOnes) {
  const auto device = host_device();
  std::vector<float> scores;
  for (int t = 0; t < 50; ++t) scores.push_back(static_cast<float>(t));
  const std::vector<std::int32_t> sets = selected(*device, scores, 6, 8);
  for (std::int32_t block = 1; block < 7; ++block) {
    for (std::int32_t i = 0; i < 6; ++i) {
      EXPECT_EQ(sets[static_cast<std::size_t>(block * 6 + i)], block * 8 - 1 - i);
    }
  }
}

TEST(CacheSelect, ZerosOfBothSignsAreEqual) {
  const auto device = host_device();
  EXPECT_EQ(selected(*device, {0.0f, -0.0f, 0.0f, -0.0f, 1.0f}, 3, 4),
            (std::vector<std::int32_t>{-1, -1, -1, 0, 1, 2}));
}

TEST(CacheSelect, HeadsAndPackedSequencesStandAlone) {
  const auto device = host_device();
  StageShape shape;
  shape.lengths = {13, 0, 30, 1}, shape.HV = 2, shape.T = 44;
  const std::vector<float> scores = random_scores(88, 4, 4);
  const std::int64_t w = 4, C = 6;
  const std::vector<std::int32_t> sets = stage_select(*device, {shape, w, C, scores});
  std::int64_t first = 0, block = 0;
  for (const std::int64_t length : shape.lengths) {
    for (std::int64_t head = 0; head < 2; ++head) {
      std::vector<float> own;
      for (std::int64_t t = 0; t < length; ++t) own.push_back(scores[static_cast<std::size_t>((first + t) * 2 + head)]);
      const std::vector<std::int32_t> alone = counted_sets(own, w, C);
      for (std::size_t i = 0; i < alone.size(); ++i) {
        const auto n = static_cast<std::int64_t>(i) / w, place = static_cast<std::int64_t>(i) % w;
        EXPECT_EQ(sets[static_cast<std::size_t>(((block + n) * 2 + head) * w + place)], alone[i]);
      }
    }
    first += length, block += (length + C - 1) / C;
  }
}

std::string refusal_of_scores(const SelectInput& input) {
  try {
    stage_select(*host_device(), input);
  } catch (const KernelError& error) {
    return error.what();
  }
  return "";
}

TEST(CacheSelect, ScoresWithoutAnOrderAreNamed) {
  StageShape shape;
  shape.lengths = {10, 20}, shape.HV = 2, shape.T = 30;
  SelectInput input{shape, 4, 8, random_scores(60, 9, 5)};
  EXPECT_EQ(refusal_of_scores(input), "");
  input.scores[(10 + 17) * 2 + 1] = std::nanf("");  // in the last block
  input.scores[(10 + 18) * 2 + 1] = std::nanf("");
  EXPECT_EQ(refusal_of_scores(input),
            "select: the score of token 17 of sequence 1, value head 1 is NaN or negative; the "
            "cache has no "
            "order");
  input.scores[3 * 2] = -1;
  EXPECT_EQ(refusal_of_scores(input),
            "select: the score of token 3 of sequence 0, value head 0 is NaN or negative; the "
            "cache has no "
            "order");
  input.w = 0;  // refused although nothing is kept
  EXPECT_NE(refusal_of_scores(input), "");
}

TEST(CacheSelect, LimitsAreNamed) {
  StageShape shape;
  shape.T = 4;
  EXPECT_EQ(refusal_of_scores({shape, 1025, 8, std::vector<float>(4)}),
            "select: select: w is 1025, must be from 0 to 1024");
  EXPECT_EQ(refusal_of_scores({shape, 4, 1025, std::vector<float>(4)}),
            "select: select: C is 1025, must be from 1 to 1024");
  EXPECT_EQ(refusal_of_scores({shape, 4, 2, std::vector<float>(5)}), "scores has 5 values, [1, 4, 1] has 4");
}

TEST(CacheSelect, SchedulesAndTheCheckedBuildChangeNothing) {
  const std::vector<float> scores = random_scores(60, 5, 6);
  const std::vector<std::int32_t> expected = counted_sets(scores, 9, 7);
  for (const ScheduleInfo& schedule : schedule_table()) {
    HostDeviceOptions options;
    options.schedule = schedule.schedule, options.seed = 2;
    EXPECT_EQ(selected(*host_device(options), scores, 9, 7), expected) << schedule.name;
  }
  HostDeviceOptions checked;
  checked.build = HostBuild::checked;
  EXPECT_EQ(selected(*host_device(checked), scores, 9, 7), expected);
}

}  // namespace
}  // namespace deltaproof
