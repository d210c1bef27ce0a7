#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "reference/bounds/gates.hpp"
#include "tests/reference/bounds/simulated/gate_scan.hpp"

// e^{G} in fp32, from scans in several orders and exponentials moved by 2.5 ulp, is within Lemma 1.

namespace deltaproof {
namespace {

using namespace simulated;

using Gates = std::pair<const char*, std::function<double(std::mt19937_64&)>>;

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

const std::vector<Gates>& families() {
  static const std::vector<Gates> all{
      {"mild", [](std::mt19937_64& r) { return uniform(r, -0.3, 0); }},
      {"strong", [](std::mt19937_64& r) { return uniform(r, -3, -1); }},
      {"one reset of -1000 in 8",
       [](std::mt19937_64& r) { return r() % 8 == 0 ? -1000.0 : uniform(r, -0.01, 0); }},
      {"one reset of -1e4 in 8",
       [](std::mt19937_64& r) { return r() % 8 == 0 ? -1e4 : uniform(r, -0.01, 0); }},
      {"into subnormal numbers", [](std::mt19937_64& r) { return uniform(r, -12, -8); }},
      {"zero", [](std::mt19937_64&) { return 0.0; }}};
  return all;
}

Matrix draw(const Gates& gates, Index tokens, std::mt19937_64& random) {
  Matrix g(tokens, 1);
  for (Index t = 0; t < tokens; ++t) g(t, 0) = static_cast<float>(gates.second(random));
  return g;
}

void expect_within(double value, const Approximate& bound, Index i, Index j, const char* what) {
  ASSERT_TRUE(bound.error(i, j) >= 0) << what;
  ASSERT_LE(std::abs(value - bound.exact(i, j)), bound.error(i, j))
      << what << ": e^G at " << i << ", " << j << " is " << bound.exact(i, j);
}

struct Kernel {
  const char* name;
  Scan scan;
  double depth;
};

class Scans : public testing::TestWithParam<Kernel> {};

TEST_P(Scans, AndExponentialsAreWithinTheirBound) {
  std::mt19937_64 random(7);
  for (const Gates& gates : families()) {
    for (const Exponential exponential :
         {Exponential{}, Exponential{1, false}, Exponential{-1, true}}) {
      for (const Index C : {1, 2, 17, 64}) {
        const Matrix g = draw(gates, C, random);
        const Floats G = prefix_sums(to_floats(g), GetParam().scan) * log2_e;
        const LogDecay decay = log_decay(g);
        const GateRounding rounding{.scan_depth = GetParam().depth};
        const Approximate start = decay_from_start(decay, rounding),
                          end = decay_to_end(decay, rounding),
                          between = decay_between(decay, rounding);
        for (Index i = 0; i < C; ++i) {
          expect_within(exponential(G(i, 0)), start, i, 0, gates.first);
          expect_within(exponential(G(C - 1, 0) - G(i, 0)), end, i, 0, gates.first);
          for (Index j = 0; j <= i; ++j)
            expect_within(exponential(G(i, 0) - G(j, 0)), between, i, j, gates.first);
          for (Index j = i + 1; j < C; ++j) EXPECT_EQ(between.exact(i, j), 0);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, Scans,
                         testing::Values(Kernel{"kogge_stone", Scan::kogge_stone_32, 10},
                                         Kernel{"blocks", Scan::blocks_of_8, 10},
                                         Kernel{"sklansky", Scan::sklansky, 10},
                                         Kernel{"sequential", Scan::sequential, 64}),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

// The bound of a shallow scan is no bound of a sequential one, and an exponential of 5 ulp is out.
TEST(Gates, OutsideTheDeclarationAreNoticed) {
  const Matrix g = Matrix::Constant(64, 1, static_cast<float>(-1.0 / 3));
  const LogDecay decay = log_decay(g);
  const Floats G = prefix_sums(to_floats(g), Scan::sequential) * log2_e;
  const GateRounding exact{.scan_depth = 0, .exp_error = 0};
  const Approximate start = decay_from_start(decay, exact);
  int out = 0;
  for (Index i = 0; i < 64; ++i) {
    out += std::abs(Exponential{}(G(i, 0)) - start.exact(i, 0)) > start.error(i, 0);
  }
  EXPECT_GT(out, 0);
  const Approximate one = decay_from_start(log_decay(Matrix::Zero(1, 1)), {});
  EXPECT_LT(one.error(0, 0), 5 * 0x1p-23);    // 5 ulp of 1
  EXPECT_GT(one.error(0, 0), 2.5 * 0x1p-23);  // 2 ulp from the correctly rounded result
}

// However strong the decay, a bound is a number: e^G is 0 and its error is what flushing loses.
TEST(Gates, BeyondAllRangeHaveFiniteBounds) {
  for (const double g : {-1e5, -1e8, -1e12, -1e30}) {
    const LogDecay decay = log_decay(Matrix::Constant(3, 1, g));
    for (const Approximate& bound :
         {decay_from_start(decay, {}), decay_to_end(decay, {}), decay_between(decay, {})}) {
      EXPECT_TRUE((bound.error.array() >= 0).all()) << g;
      EXPECT_EQ(bound.exact(0, 0), bound.exact(0, 0));
    }
    EXPECT_LE(decay_from_start(decay, {}).error(2, 0), 0x1p-100) << g;
  }
}

TEST(Gates, PerChannelAreColumnByColumn) {
  std::mt19937_64 random(3);
  Matrix g(20, 3);
  for (Index c = 0; c < 3; ++c)
    g.col(c) = draw(families()[static_cast<std::size_t>(c)], 20, random);
  const LogDecay decay = log_decay(g);
  for (Index c = 0; c < 3; ++c) {
    const LogDecay alone = log_decay(g.col(c));
    EXPECT_EQ(Matrix(decay.sum.col(c)), alone.sum);
    EXPECT_EQ(Matrix(decay_to_end(decay, {}).error.col(c)), decay_to_end(alone, {}).error);
  }
}

}  // namespace
}  // namespace deltaproof
