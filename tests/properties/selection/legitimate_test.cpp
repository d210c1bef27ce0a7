#include "properties/selection/legitimate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/properties/selection/histories.hpp"

// Theorem 1 of docs/selection.md against every vector of scores on a grid.

namespace deltaproof {
namespace {

using Sets = std::set<std::vector<Index>>;

std::vector<Index> first_tokens(Index count) {
  std::vector<Index> tokens(static_cast<std::size_t>(count));
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

// What top-w gives for the scores of the intervals.
Sets reached(const ScoreIntervals& intervals, Index w) {
  Sets sets;
  over_grid(intervals, 2, [&](const std::vector<double>& scores) { sets.insert(top_w(scores, w)); });
  return sets;
}

struct GridCase {
  ScoreIntervals intervals;
  Index w;
  Sets right;
};

template <class Check>
void over_cases(Check&& check) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Generator draw(seed, {1});
    const ScoreIntervals intervals = draw_grid_intervals(draw, 5, 3, 2);
    const Index w = draw.integer(1, 4);
    check(GridCase{intervals, w, reached(intervals, w)});
  }
}

TEST(Legitimate, ExactlyTheSetsThatSomeScoresGive) {
  over_cases([](const GridCase& c) {
    for (const std::vector<Index>& set : all_subsets(first_tokens(5), c.w)) {
      EXPECT_EQ(legitimate(c.intervals, set, first_tokens(5)), c.right.contains(set));
    }
  });
}

TEST(Legitimate, EnumeratesExactlyThoseSets) {
  over_cases([](const GridCase& c) {
    const auto all = possible_sets(c.intervals, first_tokens(5), c.w, 10);
    ASSERT_TRUE(all);
    EXPECT_EQ(Sets(all->begin(), all->end()), c.right);
    EXPECT_EQ(all->size(), c.right.size());
    const Index count = static_cast<Index>(c.right.size());
    EXPECT_FALSE(possible_sets(c.intervals, first_tokens(5), c.w, count - 1));
  });
}

TEST(Legitimate, SaysWhichTokensAreInAllSetsOrInNone) {
  over_cases([](const GridCase& c) {
    std::vector<Index> in, out;
    for (const Index t : first_tokens(5)) {
      const auto holds = [t](const std::vector<Index>& set) { return std::binary_search(set.begin(), set.end(), t); };
      if (std::all_of(c.right.begin(), c.right.end(), holds)) in.push_back(t);
      if (std::none_of(c.right.begin(), c.right.end(), holds)) out.push_back(t);
    }
    EXPECT_EQ(must_in(c.intervals, first_tokens(5), c.w), in);
    EXPECT_EQ(must_out(c.intervals, first_tokens(5), c.w), out);
  });
}

TEST(Legitimate, TiesOfExactScoresAreDecidedByTheRule) {
  const ScoreIntervals equal{{1, 1, 1}, {1, 1, 1}};
  const std::vector<Index> all{0, 1, 2}, early{0, 1}, late{1, 2};
  EXPECT_TRUE(legitimate(equal, early, all));
  EXPECT_FALSE(legitimate(equal, late, all));
}

TEST(Legitimate, IntervalsOfOneTokenRuleOutWhatAnotherAllows) {
  const ScoreIntervals apart{{0, 2, 4}, {1, 3, 5}}, touching{{0, 2, 3}, {2.5, 3.5, 5}};
  const std::vector<Index> all{0, 1, 2}, best{1, 2}, other{0, 2};
  EXPECT_TRUE(legitimate(apart, best, all));
  EXPECT_FALSE(legitimate(apart, other, all));
  EXPECT_TRUE(legitimate(touching, other, all));
}

TEST(Legitimate, AnUnknownScoreMayBeAnything) {
  const std::vector<double> scores{1, 2, 3}, radius{0, 0, std::numeric_limits<double>::quiet_NaN()};
  const ScoreIntervals intervals = score_intervals(scores, radius);
  const std::vector<Index> all{0, 1, 2}, without{0, 1}, with{1, 2}, never{0, 2};
  EXPECT_TRUE(legitimate(intervals, without, all));
  EXPECT_TRUE(legitimate(intervals, with, all));
  EXPECT_FALSE(legitimate(intervals, never, all));
}

// What was found by sorting is found by counting, with more tokens than the grid could take.
TEST(Legitimate, ManyNearTiesAreCountedRight) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Generator draw(seed, {2});
    const DrawnScores drawn = draw_scores(draw, 60, 16, 60, 3);
    const std::vector<Index> all = first_tokens(60), in = must_in(drawn.intervals, all, 16),
                             out = must_out(drawn.intervals, all, 16);
    const std::vector<Index> own = top_w(drawn.kernel, 16);
    EXPECT_TRUE(legitimate(drawn.intervals, own, all));
    EXPECT_TRUE(std::includes(own.begin(), own.end(), in.begin(), in.end()));
    for (const Index t : out) EXPECT_FALSE(std::binary_search(own.begin(), own.end(), t));
    const auto sets = possible_sets(drawn.intervals, all, 16, 100000);
    ASSERT_TRUE(sets);
    EXPECT_TRUE(std::binary_search(sets->begin(), sets->end(), own));
    const Index count = static_cast<Index>(sets->size()), chosen = 16 - static_cast<Index>(in.size());
    const Index open = 60 - static_cast<Index>(in.size() + out.size());
    EXPECT_GE(count, open == 0 ? 1 : std::max(chosen, open - chosen) + 1);
  }
}

TEST(Legitimate, EverythingOpenIsTooMuchAtOnce) {
  const std::vector<double> scores(20000, 1), radius(20000, 1);
  EXPECT_FALSE(possible_sets(score_intervals(scores, radius), first_tokens(20000), 1024, 16));
}

}  // namespace
}  // namespace deltaproof
