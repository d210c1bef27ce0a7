#include "properties/selection/history.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "properties/selection/legitimate.hpp"
#include "tests/properties/selection/histories.hpp"

// Theorem 2 of docs/selection.md, both directions, against every vector of scores on a grid: its steps are finer than the
// number of tokens, so that a chain of strict inequalities between equal ends has room.

namespace deltaproof {
namespace {

struct Counts {
  Index histories = 0, consistent = 0;
};

void check_all_histories(Generator& draw, Index tokens, Index w, Index block, int largest, int width, Counts& counts) {
  const ScoreIntervals intervals = draw_grid_intervals(draw, tokens, largest, width);
  std::set<CacheSets> reached;
  over_grid(intervals, tokens < 5 ? 4 : 8,
            [&](const std::vector<double>& scores) { reached.insert(online_sets(scores, w, block)); });
  for (const CacheSets& sets : all_histories(tokens, w, block)) {
    ++counts.histories;
    const bool right = reached.contains(sets);
    counts.consistent += right;
    const std::optional<Contradiction> found = contradiction(intervals, sets, block);
    ASSERT_EQ(!found, right);
    const std::optional<std::vector<double>> scores = witness(intervals, sets, block);
    ASSERT_EQ(scores.has_value(), right);
    if (right) {
      EXPECT_EQ(online_sets(*scores, w, block), sets);
    }
  }
}

TEST(History, IsConsistentExactlyWhereSomeScoresExplainIt) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Generator draw(seed, {1});
    const Index tokens = draw.integer(3, 5), w = draw.integer(1, 3), block = draw.integer(1, 2);
    check_all_histories(draw, tokens, w, block, 2, 1, counts);
  }
  std::cout << counts.histories << " histories, " << counts.consistent << " of them consistent\n";
  EXPECT_GT(counts.consistent, 300);
  EXPECT_GT(counts.histories - counts.consistent, 300);
}

TEST(History, WideIntervalsToo) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Generator draw(seed, {2});
    check_all_histories(draw, 4, draw.integer(1, 3), 1, 3, 3, counts);
  }
  EXPECT_GT(counts.consistent, 100);
}

// Token 0 beats 2 at block 3 and is beaten by 1 at block 4: no two blocks contradict each other, all three tokens do.
TEST(History, AChainOfEqualEndsIsStrict) {
  const ScoreIntervals scores{{0, 0, 1, 0, 5}, {1, 1, 1, 9, 9}};
  const CacheSets sets{{}, {0}, {0, 1}, {0, 1}, {1, 3}};
  const std::optional<Contradiction> found = contradiction(scores, sets, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->block, 4);
  EXPECT_EQ(found->kept, 1);
  EXPECT_EQ(found->evicted, 0);
  ScoreIntervals room = scores;
  room.hi[1] = 1.5;
  EXPECT_FALSE(contradiction(room, sets, 1));
}

// Token 2 may beat token 0, which leaves for it, but token 0 stayed in place of 1, and 2 cannot beat that.
TEST(History, RemembersWhatItsTokensHaveBeaten) {
  const ScoreIntervals scores{{0, 0.5, 0, 0}, {2, 0.9, 0.4, 2}};
  const CacheSets sets{{}, {0}, {0}, {2}};
  const std::vector<Index> kept{2}, step{0, 2};
  EXPECT_TRUE(legitimate(scores, kept, step));
  const std::optional<Contradiction> found = contradiction(scores, sets, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->block, 3);
  EXPECT_EQ(found->kept, 2);
  EXPECT_EQ(found->lowest, 0.5);
  EXPECT_EQ(found->highest, 0.4);
}

TEST(History, RecencyIsDecidedWithoutExportedScores) {
  std::vector<double> places, exactly(12, 0.0);
  for (Index t = 0; t < 12; ++t) places.push_back(static_cast<double>(t));
  const ScoreIntervals scores = score_intervals(places, exactly);
  CacheSets sets = online_sets(places, 3, 4);
  EXPECT_FALSE(contradiction(scores, sets, 4));
  sets[2] = {4, 6, 7};
  EXPECT_TRUE(contradiction(scores, sets, 4));
}

}  // namespace
}  // namespace deltaproof
