// Of many verdicts a report pictures those that matter.
#include "cli/kept_profiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace deltaproof::cli {
namespace {

Verdict pictured(Status status, double ratio) {
  Verdict verdict;
  verdict.status = status;
  verdict.worst_ratio = ratio;
  verdict.profile.resize(1);
  return verdict;
}

std::int64_t kept(const std::vector<Verdict>& verdicts) {
  return std::ranges::count_if(verdicts, [](const Verdict& verdict) { return !verdict.profile.empty(); });
}

TEST(KeptProfiles, AreThoseWithTheLargestRatioOfTheOnesThatPassed) {
  std::vector<Verdict> verdicts;
  KeptProfiles profiles;
  for (int i = 0; i < 1000; ++i) {
    verdicts.push_back(pictured(Status::passed, (i * 7919 % 1000) / 1000.0));
    profiles.look_at(verdicts);
    EXPECT_LE(kept(verdicts), 50) << "while the run goes on";
  }
  EXPECT_EQ(kept(verdicts), 50);
  for (const Verdict& verdict : verdicts) EXPECT_EQ(!verdict.profile.empty(), verdict.worst_ratio >= 0.95);
}

TEST(KeptProfiles, OnEqualRatiosTheEarlierOnes) {
  std::vector<Verdict> verdicts(60, pictured(Status::passed, 0.5));
  KeptProfiles profiles;
  profiles.look_at(verdicts);
  for (std::size_t i = 0; i < verdicts.size(); ++i) EXPECT_EQ(verdicts[i].profile.empty(), i >= 50) << i;
}

TEST(KeptProfiles, AreTheFirstFailuresWhateverPassed) {
  std::vector<Verdict> verdicts(100, pictured(Status::passed, 1));
  verdicts.insert(verdicts.end(), 300, pictured(Status::failed, 2));
  KeptProfiles profiles;
  profiles.look_at(verdicts);
  EXPECT_EQ(kept(verdicts), 250);
  EXPECT_FALSE(verdicts[100].profile.empty());
  EXPECT_FALSE(verdicts[299].profile.empty());
  EXPECT_TRUE(verdicts[300].profile.empty());
}

}  // namespace
}  // namespace deltaproof::cli
