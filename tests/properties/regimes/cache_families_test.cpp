#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "family_heads.hpp"
#include "reference/oracle/answer.hpp"

// Families that HOLA's cache is tested with, and the parameters of the cache.

namespace deltaproof {
namespace {

using namespace testing;

// |b e| of every token under the delta rule, from the exact recurrence in double: with keys along axes and small values
// no operation of it rounds, and Eigen's order of sums does not matter.
std::vector<double> scores(const HeadInputs& head) {
  Matrix state = head.initial_state;
  std::vector<double> all;
  for (Index t = 0; t < head.tokens; ++t) {
    state *= std::exp(head.g(t, 0));
    const Matrix error = head.write(t, 0) * (head.v.row(t) - head.k.row(t) * state);
    state += head.k.row(t).transpose() * error;
    all.push_back(error.norm());
  }
  return all;
}

TEST(CacheFamilies, EqualScoresAreOneAtEveryToken) {
  for (const Dtype input : input_types) {
    for (const auto& [K, V] : {std::pair{16, 8}, std::pair{5, 3}, std::pair{1, 1}, std::pair{24, 64}}) {
      RegimeShape shape = small_shape();
      shape.input = input, shape.K = K, shape.V = V, shape.tokens = 200;
      const HeadInputs head = head_of("equal_scores", shape);
      EXPECT_TRUE(head.initial_state.isZero(0));
      EXPECT_TRUE((head.write.array() == 1).all() && head.g.isZero(0));
      for (const double score : scores(head)) ASSERT_EQ(score, 1) << K << ' ' << V;
    }
  }
}

TEST(CacheFamilies, NearScoresAreAFewUlpsApart) {
  const std::vector<double> all = scores(head_of("near_scores"));
  std::set<float> seen;
  for (const double score : all) {
    EXPECT_LT(std::abs(score - 1), 0x1p-18) << "2 ulps of beta, and what the last visits of the channel left";
    seen.insert(static_cast<float>(score));
  }
  EXPECT_GE(seen.size(), 4u);
}

TEST(CacheFamilies, FactsComeAgainWithTheirValues) {
  const HeadInputs head = head_of("facts");
  int again = 0, asked = 0;
  for (Index t = 0; t < head.tokens; ++t) {
    for (Index s = 0; s < t; ++s) {
      if (head.k.row(s) != head.k.row(t)) continue;
      EXPECT_TRUE(head.v.row(s) == head.v.row(t));
      ++again;
      break;
    }
    for (Index s = 0; s < head.tokens; ++s) {
      if (head.k.row(s) == head.q.row(t)) asked += s < t;
    }
  }
  EXPECT_EQ(head.tokens - again, 12) << "facts";
  EXPECT_GT(asked, 12);
}

TEST(CacheFamilies, FirstOccurrencesOfFactsScoreHighest) {
  const HeadInputs head = head_of("facts");
  const std::vector<double> all = scores(head);
  double first = 0, last = 0;
  for (std::size_t t = 0; t < 8; ++t) first += all[t], last += all[all.size() - 1 - t];
  EXPECT_GT(first, 2 * last);
}

TEST(CacheFamilies, TinyRowsLieAroundTheEpsOfAnRmsNorm) {
  const HeadInputs head = head_of("tiny_rows");
  for (const Matrix* rows : {&head.k, &head.q}) {
    int zero = 0, below = 0;
    for (Index t = 0; t < rows->rows(); ++t) {
      const double square = rows->row(t).squaredNorm();
      zero += square == 0;
      below += square > 0 && square / 16 < 1e-6;
      EXPECT_LE(square, 0x1p-12 * (1 + 0x1p-6));
      EXPECT_TRUE(square == 0 || square >= 0x1p-26 * (1 - 0x1p-6));
    }
    EXPECT_GT(zero, 0);
    EXPECT_GT(below, 4);
    EXPECT_GT(48 - zero - below, 4);
  }
}

TEST(CacheFamilies, TheOutlierScoresHighestForEver) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const HeadInputs head = head_of("outlier", small_shape(), seed);
    const std::vector<double> all = scores(head);
    const auto best = std::max_element(all.begin(), all.end());
    EXPECT_LT(best - all.begin(), 6);
    EXPECT_EQ(std::count_if(all.begin(), all.end(), [&](double score) { return 1.5 * score > *best; }), 1);
  }
}

TEST(CacheParameters, OpenAndClosedGatesAndGammasOfEveryKind) {
  RegimeShape shape = small_shape();
  shape.K = 64, shape.H = shape.HV = 6, shape.tokens = 1;
  std::set<double> gates;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Problem problem = regime_problem(*find_regime("typical"), Rule::hola, shape, seed);
    const std::vector<double> of_heads = problem.find("cache_gate")->values();
    EXPECT_GE(of_heads.front(), -4);
    gates.insert(of_heads.begin(), of_heads.end());
    for (const char* name : {"gamma_q", "gamma_k"}) {
      const std::vector<double> gamma = problem.find(name)->values();
      EXPECT_GT(std::count_if(gamma.begin(), gamma.end(), [](double x) { return std::abs(x - 1) < 0.5; }), 200);
      EXPECT_GT(std::count(gamma.begin(), gamma.end(), 4), 4);
      EXPECT_GT(std::count(gamma.begin(), gamma.end(), 0.25), 4);
    }
  }
  EXPECT_EQ(gates, (std::set<double>{-200, -4, 0, 2}));
}

}  // namespace
}  // namespace deltaproof
