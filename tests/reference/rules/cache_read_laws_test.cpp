#include <gtest/gtest.h>

#include <algorithm>

#include "reference/rules/hola.hpp"
#include "tests/reference/rules/hola_heads.hpp"

namespace deltaproof {
namespace {

// Unit directions, gamma = 1, eps = 0: RMSNorm logits are d times the flat ones, so a weight's ratio to another is the
// d-th power of the flat read's. For q along k_j no logit is above the match's, so the match gets at least the weight
// that the flat read gives it, with any sink.
TEST(CacheReadLaws, SharpeningLawOfTheRmsRead) {
  const WorkingPrecision precision(300);
  constexpr Index d = 6;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    HeadInputs head = hola_head({7, d, 2, 4, 7}, seed);
    head.q.row(6) = 3 * head.k.row(2);
    head.gamma_q.setOnes();
    head.gamma_k.setOnes();
    head.options.hola.read_eps = head.options.qk_l2norm_eps = 0;
    std::vector<Interval> logits[2], weights[2], o(14);
    for (const int flat : {0, 1}) {
      head.options.hola.read = flat == 1 ? CacheRead::l2 : CacheRead::rmsnorm;
      cache_read(head, {{}}, o.data(),
                 [&](const auto&, Index, const auto& z, const auto& w) { logits[flat] = z, weights[flat] = w; });
    }
    EXPECT_GT(lower(weights[0][2]), upper(weights[1][2])) << "the match";
    for (std::size_t j = 0; j < 7; ++j) {
      EXPECT_TRUE(intersect(logits[0][j], Interval(d) * logits[1][j]));
      Interval power(1);
      for (Index i = 0; i < d; ++i) power *= weights[1][2] / weights[1][j];
      EXPECT_TRUE(intersect(weights[0][2] / weights[0][j], power)) << j;
      EXPECT_FALSE(j != 2 && intersect(weights[0][2] / weights[0][j], weights[1][2] / weights[1][j])) << j;
    }
  }
}

// `attention`: a token's score is the sum of the weights that it got, and is looked at only when a block ends.
TEST(CacheReadLaws, AttentionAddsUpWeights) {
  HeadInputs head = hola_head({6, 2, 1, 1, 2}, 9);
  head.options.hola.score = CacheScore::attention;
  std::vector<double> o(6), sums(6, 0.0);
  AttentionCache<double> cache;
  CacheSets wanted;
  std::vector<Index> set;
  cache.run(
      head, o.data(),
      [&](const BlockView<double>& view, Index, const auto&, const auto& weights) {
        for (std::size_t j = 0; j < weights.size(); ++j) sums[static_cast<std::size_t>(view.tokens[j])] += weights[j];
      },
      [&](const BlockView<double>& view, const auto&) {
        wanted.push_back(set);
        set = {*std::ranges::max_element(view.tokens, {}, [&](Index t) { return sums[static_cast<std::size_t>(t)]; })};
      });
  EXPECT_EQ(cache.sets, wanted);
  EXPECT_EQ(cache.scores, sums);
  EXPECT_EQ(hola_layer<double>(head).sets, wanted);
}

}  // namespace
}  // namespace deltaproof
