// The read with given sets (docs/certificate.md, theorem 10).
#include <gtest/gtest.h>

#include "reference/oracle/hola_read.hpp"
#include "reference/oracle/hola_sets.hpp"
#include "reference/oracle/outward.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/rules/hola.hpp"
#include "tests/reference/rules/hola_heads.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

class HolaRead : public ::testing::Test {
 protected:
  WorkingPrecision precision{truth_bits};

  static double worst(const CacheReadAnswer& answer, const std::vector<Mpfr>& truth, Index first = 0) {
    double result = 0;
    for (Index i = 0; i < answer.o.size(); ++i)
      result = std::max(result, ratio(Mpfr(answer.o.data()[i]) - truth[static_cast<std::size_t>(first + i)],
                                      answer.o_radius.data()[i]));
    return result;
  }

  static std::vector<Mpfr> gated_truth(const HeadInputs& head, const CacheSets& sets) {
    std::vector<Mpfr> o(static_cast<std::size_t>(head.tokens * head.V));
    cache_read(head, sets, o.data(), [](const auto&...) {});
    for (Mpfr& x : o) x *= sigmoid<Mpfr>(head.cache_gate);
    return o;
  }
};

// Sets that are no top-w of anything, as a kernel might have kept.
const CacheSets odd_sets{{}, {3}, {0, 1, 2, 7}, {}, {5}, {2, 19}};

TEST_F(HolaRead, AnySetsAreReadOnEveryRoute) {
  for (const CacheRead read : {CacheRead::rmsnorm, CacheRead::l2}) {
    HeadInputs head = hola_head({}, 61);
    head.options.hola.read = read;
    const std::vector<Mpfr> truth = gated_truth(head, odd_sets);
    for (const int bits : {53, 60, 200}) {
      const CacheReadAnswer answer = cache_read_answer(head, odd_sets, bits);
      EXPECT_LE(worst(answer, truth), 1) << bits;
      EXPECT_TRUE(answer.o_radius.allFinite());
      EXPECT_LT(answer.o_radius.maxCoeff(), 1e-12);
    }
    const CacheReadAnswer intervals = cache_read_intervals(head, odd_sets, 200);
    EXPECT_LE(worst(intervals, truth), 1);
    for (Index n = 0; n < 6; ++n) {
      const CacheReadAnswer block = cache_block_intervals(head, n, odd_sets[static_cast<std::size_t>(n)], 200);
      EXPECT_EQ(block.o, intervals.o.middleRows(4 * n, 4));
      EXPECT_LE(worst(block, truth, 4 * n * head.V), 1);
    }
  }
}

TEST_F(HolaRead, TheStateIsNotRead) {
  HeadInputs head = hola_head({}, 62);
  const Matrix before = cache_read_answer(head, odd_sets).o;
  head.g = head.write = head.initial_state = Matrix();
  EXPECT_EQ(cache_read_answer(head, odd_sets).o, before);
}

// An entry more or less, or an entry that is taken twice (in cache and block), is far outside.
TEST_F(HolaRead, OtherSetsAreOutside) {
  const HeadInputs head = hola_head({}, 63);
  const CacheReadAnswer answer = cache_read_answer(head, odd_sets);
  CacheSets other = odd_sets;
  other[2] = {0, 1, 2};
  EXPECT_GT(worst(answer, gated_truth(head, other)), 1e6);
  other[2] = {0, 1, 2, 6};
  EXPECT_GT(worst(answer, gated_truth(head, other)), 1e6);
  HeadInputs without_sink = head;
  without_sink.sink.reset();
  EXPECT_GT(worst(answer, gated_truth(without_sink, odd_sets)), 1e6);
}

TEST_F(HolaRead, RefusesSetsThatNoBlockCanHave) {
  const HeadInputs head = hola_head({}, 64);
  EXPECT_THROW(cache_read_answer(head, {{}}), InputError);
  CacheSets future = odd_sets;
  future[1] = {4};
  EXPECT_THROW(cache_read_answer(head, future), InputError);
  EXPECT_THROW(cache_block_intervals(head, 1, {4}, 100), InputError);
}

// Scores 5 +- 1, 4 +- 1/4, 3 +- 1/2, w = 1: token 0 is not certain until more is known of token 1.
TEST(HolaSets, AreCertainWhereNoOtherAgreesWithTheRadii) {
  const auto certain = [](std::vector<double> score, std::vector<double> radius) {
    CacheScores scores{Matrix(3, 1), Matrix(3, 1)};
    for (Index t = 0; t < 3; ++t)
      scores.score(t, 0) = score[static_cast<std::size_t>(t)], scores.radius(t, 0) = radius[static_cast<std::size_t>(t)];
    return certain_sets(scores, blockwise_sets(score, 1, 1), 1);
  };
  using Flags = std::vector<bool>;
  EXPECT_EQ(certain({5, 4, 3}, {1, 0.25, 0.5}), (Flags{true, true, false}));
  EXPECT_EQ(certain({5, 4, 3}, {0.5, 0.25, 0.5}), (Flags{true, true, true}));
  EXPECT_EQ(certain({5, 5, 3}, {0, 0, 0}), (Flags{true, true, true})) << "a tie that is certain";
  EXPECT_EQ(certain({5, 6, 3}, {1, 0.25, 0}), (Flags{true, true, false}));
  EXPECT_EQ(certain({5, 6, 7}, {0.5, 0.25, 9}), (Flags{true, true, true})) << "token 2 is in no set";
  EXPECT_EQ(certain({5, infinity, 7}, {0.5, infinity, 0}), (Flags{true, true, false}));
}

// An uncertain choice is forgotten once a better token has replaced both, and not before.
TEST(HolaSets, WhatHasLeftStaysInDoubtForAsLongAsItMatters) {
  CacheScores scores{Matrix(4, 1), Matrix::Zero(4, 1)};
  scores.score << 5, 5.5, 9, 1;
  scores.radius(0, 0) = 1;
  const CacheSets sets = blockwise_sets({scores.score.data(), 4}, 1, 1);
  EXPECT_EQ(certain_sets(scores, sets, 1), (std::vector<bool>{true, true, false, true}));
}

}  // namespace
}  // namespace deltaproof::testing
