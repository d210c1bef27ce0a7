#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/problem/input_error.hpp"
#include "reference/rules/cache_sets.hpp"
#include "tests/reference/rules/hola_heads.hpp"

namespace deltaproof {
namespace {

using Scores = std::vector<double>;

/// Scores with many ties: few values, zeros of both signs among them.
Scores tied_scores() {
  Scores scores;
  for (const int x : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-2, 5)))
    scores.push_back(x < 0 ? -0.0 : x);
  return scores;
}

struct Sizes {
  Index w, block;
};
Sizes sizes() { return {*rc::gen::inRange<Index>(0, 9), *rc::gen::inRange<Index>(1, 7)}; }

/// A_n by its definition: all tokens before the block sorted; `later_wins` reverses the tie rule.
CacheSets defined_sets(const Scores& scores, Sizes size, bool later_wins = false) {
  CacheSets sets;
  for (Index begin = 0; begin < static_cast<Index>(scores.size()); begin += size.block) {
    std::vector<Index> tokens = first_tokens(begin);
    std::stable_sort(tokens.begin(), tokens.end(), [&](Index a, Index b) {
      if (scores[a] != scores[b]) return scores[a] > scores[b];
      return later_wins ? a > b : a < b;
    });
    tokens.resize(std::min<std::size_t>(tokens.size(), static_cast<std::size_t>(size.w)));
    std::sort(tokens.begin(), tokens.end());
    sets.push_back(tokens);
  }
  return sets;
}

RC_GTEST_PROP(CacheSets, OnlineAndBlockwiseAreTheDefinition, ()) {
  const Scores scores = tied_scores();
  const Sizes size = sizes();
  const CacheSets wanted = defined_sets(scores, size);
  RC_ASSERT(online_sets(scores, size.w, size.block) == wanted);
  RC_ASSERT(blockwise_sets(scores, size.w, size.block) == wanted);
}

RC_GTEST_PROP(CacheSets, TheOrderOfMergingDoesNotMatter, ()) {
  const Scores scores = tied_scores();
  const Index w = sizes().w;
  std::vector<std::vector<Ranked>> lists;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    const std::size_t list = *rc::gen::inRange<std::size_t>(0, lists.size() + 1);
    if (list == lists.size()) lists.emplace_back();
    lists[list].push_back({scores[t], static_cast<Index>(t)});
  }
  for (std::vector<Ranked>& list : lists) list = best_of(list, w);
  while (lists.size() > 1) {
    const std::size_t i = *rc::gen::inRange<std::size_t>(0, lists.size() - 1);
    lists[i] = merge_ranked(lists.back(), lists[i], w);
    lists.pop_back();
  }
  RC_ASSERT((lists.empty() ? std::vector<Index>() : tokens_of(lists[0])) == top_w(scores, w));
}

RC_GTEST_PROP(CacheSets, RaisingAKeptTokensScoreNeverEvictsIt, ()) {
  Scores scores = tied_scores();
  const Sizes size = sizes();
  RC_PRE(!scores.empty());
  const auto token = *rc::gen::inRange<Index>(0, static_cast<Index>(scores.size()));
  const CacheSets before = online_sets(scores, size.w, size.block);
  scores[static_cast<std::size_t>(token)] += *rc::gen::inRange(0, 3);
  const CacheSets after = online_sets(scores, size.w, size.block);
  for (std::size_t n = 0; n < before.size(); ++n)
    if (std::ranges::binary_search(before[n], token)) RC_ASSERT(std::ranges::binary_search(after[n], token));
}

RC_GTEST_PROP(CacheSets, HoldAtMostWAndNothingOfTheBlock, ()) {
  const Scores scores = tied_scores();
  const Sizes size = sizes();
  const CacheSets sets = blockwise_sets(scores, size.w, size.block);
  for (std::size_t n = 0; n < sets.size(); ++n) {
    const Index begin = static_cast<Index>(n) * size.block;
    RC_ASSERT(static_cast<Index>(sets[n].size()) == std::min(size.w, begin));
    RC_ASSERT((std::ranges::adjacent_find(sets[n], std::greater_equal<>()) == sets[n].end()));
    RC_ASSERT((sets[n].empty() || sets[n].back() < begin));
  }
}

RC_GTEST_PROP(CacheSets, DoNotDependOnLaterScores, ()) {
  Scores scores = tied_scores();
  const Sizes size = sizes();
  RC_PRE(!scores.empty());
  const auto from = *rc::gen::inRange<std::size_t>(0, scores.size());
  const CacheSets before = blockwise_sets(scores, size.w, size.block);
  for (std::size_t t = from; t < scores.size(); ++t) scores[t] = 100;
  const CacheSets after = blockwise_sets(scores, size.w, size.block);
  for (std::size_t n = 0; n * static_cast<std::size_t>(size.block) <= from; ++n) RC_ASSERT(before[n] == after[n]);
}

TEST(CacheSets, TheRecencyScoreKeepsTheLastW) {
  Scores scores;
  for (int t = 0; t < 10; ++t) scores.push_back(t);
  EXPECT_EQ(online_sets(scores, 3, 2), (CacheSets{{}, {0, 1}, {1, 2, 3}, {3, 4, 5}, {5, 6, 7}}));
}

TEST(CacheSets, NoPlaceKeepsNothingAndEnoughKeepAll) {
  const Scores scores{3, 1, 2, 1, 5};
  for (const CacheSets& none : {online_sets(scores, 0, 2), blockwise_sets(scores, 0, 2)})
    EXPECT_EQ(none, (CacheSets{{}, {}, {}}));
  for (const Index w : {4, 5, 100})
    EXPECT_EQ(blockwise_sets(scores, w, 2), (CacheSets{{}, {0, 1}, {0, 1, 2, 3}})) << w;
  EXPECT_TRUE(online_sets({}, 3, 2).empty());
}

TEST(CacheSets, OfEqualScoresTheEarlierStays) {
  const Scores scores{1, 2, 1, 2, 1};
  EXPECT_EQ(blockwise_sets(scores, 3, 1), (CacheSets{{}, {0}, {0, 1}, {0, 1, 2}, {0, 1, 3}}));
  OnlineCache cache(2);
  EXPECT_EQ(cache.take({1, 0}), -1);
  EXPECT_EQ(cache.take({1, 1}), -1);
  EXPECT_EQ(cache.take({1, 2}), 2) << "the newest of equals leaves at once";
  EXPECT_EQ(cache.take({2, 3}), 1);
  EXPECT_EQ(cache.take({0, 4}), 4);
}

// The definition tells wrong rules apart: later of equals, scores of the block itself, one set for all.
TEST(CacheSets, WrongRulesGiveOtherSets) {
  const Scores scores{1, 2, 1, 2, 1, 3, 1, 1};
  const Sizes size{2, 2};
  const CacheSets right = blockwise_sets(scores, size.w, size.block);
  EXPECT_EQ(right, defined_sets(scores, size));
  EXPECT_NE(right, defined_sets(scores, size, true));
  CacheSets with_future, whole;
  for (std::size_t n = 0; n < right.size(); ++n) {
    with_future.push_back(top_w({scores.data(), 2 * (n + 1)}, 2));
    whole.push_back(top_w(scores, 2));
  }
  EXPECT_NE(right, with_future);
  EXPECT_NE(right, whole);
}

TEST(CacheSets, InfiniteScoresHaveARankAndNaNHasNone) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(top_w(Scores{1, infinite, 2, -infinite}, 2), (std::vector<Index>{1, 2}));
  const Scores bad{1, 2, std::nan(""), 3};
  for (const auto& select : {online_sets, blockwise_sets}) {
    try {
      select(bad, 2, 2);
      FAIL() << "accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("token 2 is NaN"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace deltaproof
