// Equal columns and equal rows have equal errors: sums of them are spread wider, which is no structure.
#include <gtest/gtest.h>

#include <cmath>

#include "noise_draws.hpp"

namespace deltaproof {
namespace {

constexpr Index size = 32;
constexpr double alarm = 0.05;

enum class Repeated { columns, rows, nothing };

Matrix repeated(const Matrix& x, Repeated what) {
  Matrix result = x;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      result(i, j) = what == Repeated::columns ? x(i, 0) : what == Repeated::rows ? x(0, j) : x(i, j);
    }
  }
  return result;
}

// The run of a kernel that rounds each output once to bf16, after fp32 errors that decide nothing but where it lands.
struct KernelRun {
  std::vector<ModelledChunk> chunks;
  std::vector<Matrix> errors;
};

KernelRun rounded_once(Repeated what, std::uint64_t seed) {
  NoiseDraws draws(seed);
  const Matrix zero = Matrix::Zero(size, size);
  const auto drawn = [&](double low, double high) {
    return Matrix(zero.unaryExpr([&](double) { return draws.uniform(low, high); }));
  };
  const Matrix x = repeated(drawn(1, 2), what);
  const Matrix own = x + repeated(drawn(-0.01, 0.01), what);  // moved by more than the spacing, 2^-7
  Noise noise;
  noise.worst = zero;
  noise.random.push_back(rounding_noise("o", {}, {}, x, nearest(formats::bf16)));
  return {{{0, 0, x, noise}}, {round_all(own, nearest(formats::bf16)) - own}};
}

// The slope of all in units of the limit that independent errors have: 2 exp(-t^2 / 2) = alarm / 4.
double excess_of_independent(const KernelRun& run) {
  const Matrix& x = run.chunks[0].expected;
  const Matrix w = x.cwiseQuotient(run.chunks[0].noise.variance());
  const double along = w.cwiseProduct(run.errors[0]).sum(), variance = w.cwiseProduct(x).sum();
  return std::abs(along) / (std::sqrt(2 * std::log(8 / alarm)) * std::sqrt(variance));
}

class DesignEffect : public testing::TestWithParam<Repeated> {};

TEST_P(DesignEffect, KeepsRepeatedErrorsFromAlarming) {
  constexpr int runs = 400;
  int alarms = 0, by_independent = 0;
  for (int seed = 1; seed <= runs; ++seed) {
    const KernelRun run = rounded_once(GetParam(), static_cast<std::uint64_t>(seed));
    if (excess_of_independent(run) > 1) ++by_independent;
    const double correlation = correlation_norm(run.chunks[0].noise);
    if (!structures(groups_of(run.chunks, run.errors), correlation, alarm).empty()) ++alarms;
  }
  EXPECT_LE(alarms, runs * alarm + 4 * std::sqrt(runs * alarm * (1 - alarm)));
  // Equal errors are spread sqrt(32) times as widely: the limit of 3.2 is at 0.6 deviations of them.
  if (GetParam() == Repeated::nothing) {
    EXPECT_LE(by_independent, runs * alarm + 4 * std::sqrt(runs * alarm * (1 - alarm)));
  } else {
    EXPECT_GT(by_independent, runs / 4);
  }
}

INSTANTIATE_TEST_SUITE_P(Structures, DesignEffect,
                         testing::Values(Repeated::columns, Repeated::rows, Repeated::nothing), [](const auto& each) {
                           return each.param == Repeated::columns ? "Columns"
                                  : each.param == Repeated::rows  ? "Rows"
                                                                  : "Nothing";
                         });

// Errors that are random are still told from a slope, where nothing repeats.
TEST(NoDesignEffect, DoesNotHideASlopeWhereNothingRepeats) {
  KernelRun run = rounded_once(Repeated::nothing, 1);
  run.errors[0] += 0.002 * run.chunks[0].expected;
  EXPECT_GT(excess_of_independent(run), 1);
  EXPECT_FALSE(structures(groups_of(run.chunks, run.errors), 1, alarm).empty());
}

}  // namespace
}  // namespace deltaproof
