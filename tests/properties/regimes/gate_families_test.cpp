#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "family_heads.hpp"
#include "properties/regimes/float_draw.hpp"

// A family's name is a claim about its inputs: gates and writes.

namespace deltaproof {
namespace {

using namespace testing;

TEST(GateFamilies, WeakDecaysAreWeakAndThere) {
  const Matrix g = head_of("weak_decay").g;
  EXPECT_GT(g.minCoeff(), -0.001);
  EXPECT_LT(g.maxCoeff(), 0);
}

// Three heads in a row, three seeds at most: every place; no other token is a reset.
TEST(GateFamilies, OneResetIsAtTheStartBeforeAndAtTheEdgeOfAChunk) {
  for (const Rule rule : {Rule::gated_delta, Rule::vector_decay}) {
    RegimeShape shape = small_shape();
    shape.H = shape.HV = 3;
    const Problem problem = regime_problem(*find_regime("one_reset"), rule, shape, 4);
    std::set<Index> places;
    for (std::int64_t h = 0; h < 3; ++h) {
      const Matrix g = head_inputs(problem, problem.sequences().front(), h).g;
      Index row = 0, channel = 0;
      EXPECT_EQ(g.minCoeff(&row, &channel), -1e4);
      EXPECT_TRUE((g.row(row).array() == -1e4).all()) << "all channels at once";
      EXPECT_EQ((g.array() < -0.01).count(), g.cols());
      places.insert(row);
    }
    EXPECT_EQ(places, (std::set<Index>{0, 15, 16}));
  }
}

TEST(GateFamilies, OneResetReachesEveryPlaceOverSeedsToo) {
  std::set<Index> places;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Index row = 0;
    head_of("one_reset", small_shape(), seed).g.col(0).minCoeff(&row);
    places.insert(row);
  }
  EXPECT_EQ(places, (std::set<Index>{0, 15, 16}));
}

TEST(GateFamilies, BandsAreConstantAndFourteenHeadsHaveAll) {
  RegimeShape shape = small_shape();
  shape.H = shape.HV = 14;
  const Problem problem = regime_problem(*find_regime("gate_bands"), Rule::gated_delta, shape, 2);
  std::set<double> seen;
  for (std::int64_t h = 0; h < 14; ++h) {
    const Matrix g = head_inputs(problem, problem.sequences().front(), h).g;
    EXPECT_TRUE((g.array() == g(0, 0)).all());
    seen.insert(g(0, 0));
  }
  const GateBands bands = gate_bands(16);
  std::set<double> stored;
  for (const double band : bands) stored.insert(static_cast<float>(band));
  EXPECT_EQ(seen.size(), 14u);
  EXPECT_EQ(seen, stored);
}

// exp of minus a chunk's sum: finite in fp32 at the smaller neighbour, infinite at the larger.
TEST(GateFamilies, TheLastBandsLieOnBothSidesOfTheOverflowOfExp) {
  for (const std::int64_t chunk : {16, 32, 64}) {
    const GateBands bands = gate_bands(chunk);
    const double limit = bands[11], smaller = bands[12], larger = bands[13];
    EXPECT_EQ(std::nextafter(static_cast<float>(limit), 0.0F), smaller);
    EXPECT_EQ(std::nextafter(static_cast<float>(limit), -1.0e9F), larger);
    constexpr double most = std::numeric_limits<float>::max();
    const auto grown = [&](double gate) { return std::exp(-gate * static_cast<double>(chunk)); };
    EXPECT_LT(grown(smaller), most);
    EXPECT_GT(grown(larger), most);
    EXPECT_LE(std::abs(grown(limit) / most - 1), 0x1p-17) << "half an ulp of the gate, times 88.7";
  }
}

TEST(GateFamilies, WritesOfZeroAndOfAlmostNothing) {
  EXPECT_TRUE(head_of("b_0").write.isZero(0));
  EXPECT_LT(head_of("b_0").g.maxCoeff(), 0) << "the state must be seen to decay";
  EXPECT_TRUE((head_of("b_tiny").write.array() == 0x1p-20).all());
}

double exact_square(const Matrix& rows, Index row) {
  long double sum = 0;  // products of 16-bit inputs are exact
  for (Index i = 0; i < rows.cols(); ++i) sum += static_cast<long double>(rows(row, i)) * rows(row, i);
  return static_cast<double>(sum);
}

TEST(GateFamilies, BoundaryLiesOnBothSidesOfTwo) {
  for (const Dtype input : input_types) {
    RegimeShape shape = small_shape();
    shape.input = input;
    for (const Rule rule : {Rule::delta, Rule::gated_delta, Rule::vector_decay_delta}) {
      const HeadInputs head = head_of("boundary", rule, shape);
      int below = 0, above = 0, at = 0;
      for (Index t = 0; t < head.tokens; ++t) {
        const double step = head.write(t, 0) * exact_square(head.k, t);
        EXPECT_GE(step, 1.9);
        EXPECT_LE(step, 2.05);
        const bool near = std::abs(step - 2) <= 2 * 0x1p-24;  // the rounding of beta to fp32
        at += near, below += !near && step < 2, above += !near && step > 2;
      }
      EXPECT_GT(below, 3);
      EXPECT_GT(above, 3);
      EXPECT_GT(at, 3);
    }
  }
}

TEST(GateFamilies, BoundaryOfKlaIsItsEta) {
  const HeadInputs head = head_of("boundary", Rule::kla);
  EXPECT_GE(head.write.minCoeff(), 1.9);
  EXPECT_LE(head.write.maxCoeff(), 2.05);
}

TEST(GateFamilies, SubnormalGatesAreZeroOrSubnormal) {
  const Matrix g = head_of("subnormals", Rule::vector_decay_delta).g;
  EXPECT_LE(g.maxCoeff(), 0);
  EXPECT_GT(g.minCoeff(), -0x1p-126);
  EXPECT_GT((g.array() == 0).count(), 0);
  EXPECT_LT((g.array() == 0).count(), g.size() / 2);
}

TEST(GateFamilies, ExtremeGatesAndWritesSpanWhatTheyMay) {
  const HeadInputs head = head_of("extremes", Rule::vector_decay_delta);
  EXPECT_LT(head.g.minCoeff(), -0x1p14);
  EXPECT_GE(head.g.minCoeff(), -0x1p15);
  EXPECT_GT(((head.g.array() < 0) && (head.g.array() > -0x1p-126)).count(), 10);
  EXPECT_GE(head.write.minCoeff(), 0);
  EXPECT_EQ(head.write.maxCoeff(), 1 - 0x1p-24);
  EXPECT_GT(((head.write.array() > 0) && (head.write.array() < 0x1p-126)).count(), 3);
}

}  // namespace
}  // namespace deltaproof
