#include "properties/selection/judge_selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/properties/selection/histories.hpp"

// One head's verdict, with and without what a kernel may export.

namespace deltaproof {
namespace {

SelectionEvidence evidence_of(Index w, Index block, std::vector<double> exact, double radius) {
  SelectionEvidence evidence;
  evidence.w = w, evidence.block = block;
  evidence.reference_radius.assign(exact.size(), 0);
  evidence.kernel_radius.assign(exact.size(), radius);
  evidence.exact = std::move(exact);
  return evidence;
}

SelectionEvidence evidence_of(const DrawnScores& drawn) {
  SelectionEvidence evidence = evidence_of(drawn.w, drawn.block, drawn.exact, 0);
  evidence.kernel_radius = drawn.radius;
  return evidence;
}

DrawnScores draw(std::uint64_t seed, double closeness = 3) {
  Generator generator(seed, {5});
  return draw_scores(generator, 60, 8, 16, closeness);
}

TEST(JudgeSelection, PassesACorrectKernelHoweverMuchItExports) {
  Index different = 0, ambiguous = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const DrawnScores drawn = draw(seed);
    const CacheSets own = online_sets(drawn.kernel, drawn.w, drawn.block);
    for (const bool scores : {true, false}) {
      for (const bool sets : {true, false}) {
        SelectionEvidence evidence = evidence_of(drawn);
        if (scores) evidence.scores = &drawn.kernel;
        if (sets) evidence.sets = &own;
        const SelectionJudgement judged = judge_selection(evidence, 1000);
        EXPECT_EQ(judged.status, SelectionStatus::passed) << seed;
        EXPECT_TRUE(!judged.known || judged.sets == own);
        EXPECT_EQ(judged.scores_compared, scores ? 60 : 0);
        EXPECT_LE(judged.worst_score, 1);
        for (std::size_t n = 0; n < judged.possible.size(); ++n) {
          EXPECT_TRUE(std::binary_search(judged.possible[n].begin(), judged.possible[n].end(), own[n]));
        }
        EXPECT_TRUE(judged.known || (!scores && !sets));
        if (sets) different += judged.legitimate_differences;
        ambiguous += judged.ambiguous;
      }
    }
  }
  EXPECT_GT(different, 0);
  EXPECT_GT(ambiguous, 0);
}

TEST(JudgeSelection, FailsAScoreThatIsTooFarOff) {
  DrawnScores drawn = draw(1);
  drawn.kernel[7] = drawn.exact[7] + 1.25 * drawn.radius[7];
  SelectionEvidence evidence = evidence_of(drawn);
  evidence.scores = &drawn.kernel;
  const SelectionJudgement judged = judge_selection(evidence);
  EXPECT_EQ(judged.status, SelectionStatus::failed);
  EXPECT_EQ(judged.scores_outside, 1);
  EXPECT_EQ(judged.worst_token, 7);
  EXPECT_NEAR(judged.worst_score, 1.25, 1e-6);
  ASSERT_TRUE(judged.fault);
  EXPECT_EQ(judged.fault->token, 7);
}

TEST(JudgeSelection, FailsANaNScore) {
  DrawnScores drawn = draw(1);
  drawn.kernel[3] = std::numeric_limits<double>::quiet_NaN();
  SelectionEvidence evidence = evidence_of(drawn);
  evidence.scores = &drawn.kernel;
  const SelectionJudgement judged = judge_selection(evidence);
  EXPECT_EQ(judged.status, SelectionStatus::failed);
  EXPECT_EQ(judged.fault->what, "the score of token 3 is NaN, which has no rank");
}

// Two scores apart by less than their radii: either may be kept, but not the one that the kernel itself ranks behind.
TEST(JudgeSelection, ExportedScoresDecideWhatTheIntervalsLeaveOpen) {
  SelectionEvidence evidence = evidence_of(1, 2, {1, 1.01, 0, 0}, 0.1);
  const CacheSets swapped{{}, {0}};
  evidence.sets = &swapped;
  SelectionJudgement judged = judge_selection(evidence);
  EXPECT_EQ(judged.status, SelectionStatus::passed);
  EXPECT_EQ(judged.legitimate_differences, 1);
  EXPECT_EQ(judged.sets, swapped);
  EXPECT_EQ(judged.ambiguous, 2);
  const std::vector<double> scores{1, 1.02, 0, 0};
  evidence.scores = &scores;
  judged = judge_selection(evidence);
  EXPECT_EQ(judged.status, SelectionStatus::failed);
  EXPECT_EQ(judged.fault->block, 1);
  // In bf16 both are 1, and the kernel ranked by something that was rounded to that.
  const std::vector<double> in_bf16{1, 1, 0, 0};
  evidence.scores = &in_bf16;
  evidence.exported_in = formats::bf16;
  evidence.kernel_radius.assign(4, 0.1);
  EXPECT_EQ(judge_selection(evidence).status, SelectionStatus::passed);
}

TEST(JudgeSelection, FailsAHistoryThatNoScoresExplain) {
  SelectionEvidence evidence = evidence_of(1, 1, {1, 2, 3, 0}, 0.1);
  const CacheSets right{{}, {0}, {1}, {2}}, wrong{{}, {0}, {1}, {1}}, back{{}, {0}, {1}, {0}};
  evidence.sets = &right;
  EXPECT_EQ(judge_selection(evidence).status, SelectionStatus::passed);
  evidence.sets = &wrong;
  SelectionJudgement judged = judge_selection(evidence);
  EXPECT_EQ(judged.status, SelectionStatus::failed);
  EXPECT_EQ(judged.fault->block, 3);
  EXPECT_EQ(judged.fault->token, 1);
  evidence.sets = &back;
  EXPECT_EQ(judge_selection(evidence).fault->what, "token 0 is kept for block 3, though it was not kept for block 2");
}

TEST(JudgeSelection, EnumeratesTheFewOrSaysNothing) {
  SelectionEvidence evidence = evidence_of(2, 4, {1, 1.01, 1.02, 5, 0}, 0.1);
  SelectionJudgement judged = judge_selection(evidence, 3);
  EXPECT_EQ(judged.status, SelectionStatus::passed);
  EXPECT_FALSE(judged.known);
  ASSERT_EQ(judged.possible.size(), 2u);
  EXPECT_EQ(judged.possible[1], (std::vector<std::vector<Index>>{{0, 3}, {1, 3}, {2, 3}}));
  EXPECT_EQ(judged.sets, (CacheSets{{}, {2, 3}}));
  judged = judge_selection(evidence, 2);
  EXPECT_EQ(judged.status, SelectionStatus::uninformative);
  EXPECT_EQ(judged.why, "more than 2 sets are legitimate for block 1, and the kernel's own was not exported");
}

// Equal scores computed with any error may rank either way; places are exact.
TEST(JudgeSelection, TiesAreLeftOpenUnlessScoresAreExact) {
  SelectionEvidence evidence = evidence_of(1, 2, {1, 1, 0}, 1e-6);
  const CacheSets late{{}, {1}};
  evidence.sets = &late;
  const SelectionJudgement judged = judge_selection(evidence);
  EXPECT_EQ(judged.status, SelectionStatus::passed);
  EXPECT_EQ(judged.tied, 2);
  evidence.kernel_radius = {0, 0, 0};
  EXPECT_EQ(judge_selection(evidence).status, SelectionStatus::failed);
  const std::vector<double> scores{1, 1, 0};
  evidence.kernel_radius = {1e-6, 1e-6, 1e-6};
  evidence.scores = &scores;
  EXPECT_EQ(judge_selection(evidence).status, SelectionStatus::failed);
}

TEST(JudgeSelection, KnowsTheSetsOfExactScoresWithoutAnyExport) {
  SelectionEvidence evidence = evidence_of(2, 2, {0, 1, 2, 3, 4}, 0);
  const SelectionJudgement judged = judge_selection(evidence, 1);
  EXPECT_TRUE(judged.known);
  EXPECT_EQ(judged.sets, (CacheSets{{}, {0, 1}, {2, 3}}));
}

TEST(JudgeSelection, NoCacheIsASelectionToo) {
  SelectionEvidence evidence = evidence_of(0, 2, {0, 1, 2}, 1);
  EXPECT_EQ(judge_selection(evidence).sets, (CacheSets{{}, {}}));
  EXPECT_TRUE(judge_selection(evidence).known);
}

}  // namespace
}  // namespace deltaproof
