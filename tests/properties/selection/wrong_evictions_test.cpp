#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <iostream>

#include "properties/selection/exported.hpp"
#include "properties/selection/history.hpp"
#include "tests/properties/selection/histories.hpp"

// A kernel that once evicts another token than the worst, and goes on from there: seen, unless the scores of a correct
// kernel explain all of its sets.

namespace deltaproof {
namespace {

struct WrongRun {
  CacheSets sets;
  bool changed = false;
};

// As the kernel ranks, but at the end of block `at` a token that it should keep leaves in place of one that should leave.
WrongRun with_wrong_eviction(const DrawnScores& drawn, Index at, Generator& draw) {
  WrongRun run;
  std::vector<Index> cache;
  const Index tokens = static_cast<Index>(drawn.kernel.size());
  for (Index n = 0; n < block_count(tokens, drawn.block); ++n) {
    run.sets.push_back(cache);
    std::vector<Ranked> entries;
    for (Index t = n * drawn.block; t < std::min((n + 1) * drawn.block, tokens); ++t) cache.push_back(t);
    for (const Index t : cache) entries.push_back({drawn.kernel[static_cast<std::size_t>(t)], t});
    std::sort(entries.begin(), entries.end(), RanksBefore{});
    const Index size = static_cast<Index>(entries.size()), w = drawn.w;
    if (n == at && size > w) {
      // Neighbours in rank as often as any.
      const int reach = static_cast<int>(std::min(w, size - w));
      const Index near = draw.integer(0, 1) == 1 ? draw.integer(1, std::min(3, reach)) : draw.integer(1, reach);
      std::swap(entries[static_cast<std::size_t>(w - draw.integer(1, static_cast<int>(near)))],
                entries[static_cast<std::size_t>(w + near - 1)]);
      run.changed = n + 1 < block_count(tokens, drawn.block);
    }
    entries.resize(static_cast<std::size_t>(std::min(size, w)));
    cache = tokens_of(entries);
  }
  return run;
}

bool within(const std::vector<double>& scores, const ScoreIntervals& intervals) {
  for (std::size_t t = 0; t < scores.size(); ++t) {
    if (scores[t] < intervals.lo[t] || scores[t] > intervals.hi[t]) return false;
  }
  return true;
}

DrawnScores any_scores(Generator& draw) {
  const Index block = draw.integer(1, 24), w = draw.integer(1, 16);
  return draw_scores(draw, draw.integer(40, 200), w, block, draw.uniform(0, 4));
}

TEST(WrongEvictions, AreSeenUnlessScoresOfACorrectKernelExplainThem) {
  Index injected = 0, caught = 0, legitimate = 0;
  for (std::uint64_t seed = 0; injected < 2400; ++seed) {
    Generator draw(seed, {3});
    const DrawnScores drawn = any_scores(draw);
    const Index blocks = block_count(static_cast<Index>(drawn.exact.size()), drawn.block);
    const WrongRun run = with_wrong_eviction(drawn, draw.integer(0, static_cast<int>(blocks) - 1), draw);
    if (!run.changed) continue;
    ++injected;
    ASSERT_FALSE(returned_token(run.sets, drawn.block));
    EXPECT_TRUE(not_exact_top_w(drawn.kernel, run.sets, drawn.w, drawn.block)) << "with exported scores all are seen";
    if (contradiction(drawn.intervals, run.sets, drawn.block)) {
      ++caught;
      continue;
    }
    ++legitimate;
    const std::optional<std::vector<double>> scores = witness(drawn.intervals, run.sets, drawn.block);
    ASSERT_TRUE(scores) << seed;
    EXPECT_TRUE(within(*scores, drawn.intervals));
    EXPECT_EQ(online_sets(*scores, drawn.w, drawn.block), run.sets);
  }
  std::cout << injected << " wrong evictions: " << caught << " seen without exported scores; " << legitimate
            << " are right for other scores within the intervals, each exhibited; with exported scores all are seen\n";
  EXPECT_GT(caught, injected / 2);
  EXPECT_GT(legitimate, 0);
}

TEST(WrongEvictions, ACorrectKernelIsNeverAccused) {
  Index different = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Generator draw(seed, {4});
    const DrawnScores drawn = any_scores(draw);
    const CacheSets sets = online_sets(drawn.kernel, drawn.w, drawn.block);
    different += sets != online_sets(drawn.exact, drawn.w, drawn.block);
    EXPECT_FALSE(contradiction(drawn.intervals, sets, drawn.block)) << seed;
    EXPECT_FALSE(not_exact_top_w(drawn.kernel, sets, drawn.w, drawn.block)) << seed;
    EXPECT_FALSE(returned_token(sets, drawn.block)) << seed;
  }
  std::cout << "2000 correct kernels, " << different << " with other sets than the exact scores'\n";
  EXPECT_GT(different, 500);
}

// Any number of tokens, sizes and blocks: what Theorem 2 accepts has a witness, and what it refuses has no correct
// kernel.
TEST(WrongEvictions, AcceptedHistoriesAreThoseOfSomeKernel) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const auto tokens = *rc::gen::inRange<Index>(1, 120), w = *rc::gen::inRange<Index>(0, 20);
    const auto block = *rc::gen::inRange<Index>(1, 30), at = *rc::gen::inRange<Index>(0, 20);
    Generator draw(seed, {6});
    const DrawnScores drawn = draw_scores(draw, tokens, w, block, 3);
    RC_ASSERT(!contradiction(drawn.intervals, online_sets(drawn.kernel, w, block), block));
    if (w == 0) return;
    const WrongRun run = with_wrong_eviction(drawn, at, draw);
    const bool accepted = !contradiction(drawn.intervals, run.sets, block);
    RC_ASSERT(accepted == witness(drawn.intervals, run.sets, block).has_value());
    RC_ASSERT(accepted || run.changed);
  }));
}

}  // namespace
}  // namespace deltaproof
