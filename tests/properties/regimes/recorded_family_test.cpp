#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "family_heads.hpp"
#include "reference/problem/case_file.hpp"

// The family `recorded` against the recording it is a slice of.

namespace deltaproof {
namespace {

using namespace testing;

constexpr Index kTokens = 96, kChannels = 32;

const CaseFile& recording() {
  static const CaseFile file =
      read_case(std::string(DELTAPROOF_SOURCE_DIR) + "/golden/recorded/kla_trained_layer0_T512.safetensors");
  return file;
}

HeadInputs recorded_head(std::int64_t head) {
  return head_inputs(recording().problem, recording().problem.sequences().front(), head);
}

// Whether the drawn keys are those of a recorded head from token `first` on. Characters come again, and their keys.
bool begins_at(const HeadInputs& drawn, const HeadInputs& whole, Index first) {
  for (Index t = 0; t < drawn.tokens; ++t) {
    if (whole.k.row((first + t) % kTokens).head(drawn.K) != drawn.k.row(t)) return false;
  }
  return true;
}

// The recorded token and head that a drawn head begins with, {-1, -1} if none.
std::pair<Index, std::int64_t> beginning(const HeadInputs& drawn) {
  for (std::int64_t h = 0; h < 2; ++h) {
    const HeadInputs whole = recorded_head(h);
    for (Index t = 0; t < kTokens; ++t) {
      if (begins_at(drawn, whole, t)) return {t, h};
    }
  }
  return {-1, -1};
}

TEST(RecordedFamily, IsTheRecordingFromSomeTokenOn) {
  std::set<Index> starts;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const RegimeShape shape{.tokens = 150, .K = 24, .V = 16};
    const HeadInputs drawn = head_of("recorded", shape, seed);
    const auto [first, h] = beginning(drawn);
    ASSERT_GE(first, 0);
    starts.insert(first);
    const HeadInputs whole = recorded_head(h);
    for (Index t = 0; t < drawn.tokens; ++t) {
      const Index at = (first + t) % kTokens;
      EXPECT_TRUE(drawn.q.row(t) == whole.q.row(at).head(24));
      EXPECT_TRUE(drawn.v.row(t) == whole.v.row(at).head(16));
      EXPECT_EQ(drawn.g(t, 0), whole.g(at, 0));
      // The recording has beta = eta / (|k|^2 + eps) of all 128 channels, in fp32: gamma_128 and two roundings.
      const double beta = drawn.write(t, 0) / (whole.k.row(at).squaredNorm() + 1e-6);
      EXPECT_LE(std::abs(beta / whole.write(at, 0) - 1), 132 * 0x1p-24);
    }
  }
  EXPECT_GT(starts.size(), 4u);
}

TEST(RecordedFamily, RepeatsChannelsBeyondTheSlice) {
  const HeadInputs drawn = head_of("recorded", {.tokens = 3, .K = 80, .V = 40});
  EXPECT_TRUE(drawn.k.middleCols(kChannels, kChannels) == drawn.k.leftCols(kChannels));
  EXPECT_TRUE(drawn.k.rightCols(16) == drawn.k.leftCols(16));
  EXPECT_TRUE(drawn.v.rightCols(8) == drawn.v.leftCols(8));
}

TEST(RecordedFamily, HeadsTakeTurns) {
  const Problem problem = regime_problem(*find_regime("recorded"), Rule::kla, {.tokens = 20, .H = 2, .HV = 2}, 3);
  const HeadInputs a = head_inputs(problem, problem.sequences().front(), 0);
  const HeadInputs b = head_inputs(problem, problem.sequences().front(), 1);
  EXPECT_NE(beginning(a).second, beginning(b).second);
  EXPECT_FALSE(a.v == b.v);
}

}  // namespace
}  // namespace deltaproof
