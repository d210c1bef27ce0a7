// The spread of an output against the dense covariance of all its elements, written out.
#include <gtest/gtest.h>

#include "tests/reference/bounds/random_noise.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;

TEST(Noise, HasTheVarianceOfEachElement) {
  for (const std::uint64_t seed : seeds) {
    const Noise noise = random_noise(seed);
    const Dense d = dense(noise);
    const Vector variance = flat(noise.variance()), exact = d.covariance.diagonal();
    for (Index i = 0; i < exact.size(); ++i) EXPECT_NEAR(variance(i), exact(i), rounding * exact(i)) << seed;
  }
}

TEST(Noise, RehearsesEachElement) {
  for (const std::uint64_t seed : seeds) {
    const Noise noise = random_noise(seed);
    const Dense d = dense(noise);
    const Vector rehearsal = flat(noise.rehearsal());
    ASSERT_EQ(rehearsal.size(), d.rehearsal.size());
    for (Index i = 0; i < rehearsal.size(); ++i) {
      EXPECT_NEAR(rehearsal(i), d.rehearsal(i), rounding * d.rehearsal_size(i)) << seed;
    }
  }
}

TEST(Noise, MultipliesByItsCovariance) {
  for (const std::uint64_t seed : seeds) {
    const Noise noise = random_noise(seed);
    const Dense d = dense(noise);
    const Matrix x = Random(seed + 100).normal(noise.worst.rows(), noise.worst.cols());
    const Vector product = flat(noise.covariance_times(x)), exact = d.covariance * flat(x);
    const Vector size = d.sizes * flat(x).cwiseAbs();
    for (Index i = 0; i < exact.size(); ++i) EXPECT_NEAR(product(i), exact(i), rounding * size(i)) << seed;
  }
}

// Smallest and largest sum over all choices of one effect, or none, of each known rounding.
TEST(Noise, LimitsWhatIsKnownByItsChoices) {
  for (const std::uint64_t seed : seeds) {
    const Noise noise = random_noise(seed);
    const auto& known = noise.known;
    const Matrix none = Matrix::Zero(noise.worst.rows(), noise.worst.cols());
    const auto choice = [&](std::size_t k, int i) {
      return i == 0 ? none : known[k].effects[static_cast<std::size_t>(i - 1)];
    };
    Matrix low = none, high = none, size = none;
    for (int a = 0; a <= 1; ++a) {
      for (int b = 0; b <= 2; ++b) {
        for (int c = 0; c <= 3; ++c) {
          const Matrix sum = choice(0, a) + choice(1, b) + choice(2, c);
          low = low.cwiseMin(sum);
          high = high.cwiseMax(sum);
        }
      }
    }
    for (const KnownRounding& k : known) {
      for (const Matrix& effect : k.effects) size += effect.cwiseAbs();
    }
    EXPECT_TRUE(((noise.low() - low).cwiseAbs().array() <= rounding * size.array()).all()) << seed;
    EXPECT_TRUE(((noise.high() - high).cwiseAbs().array() <= rounding * size.array()).all()) << seed;
  }
}

TEST(Noise, OfNothingKnownHasNoLimitsButZero) {
  Noise noise = random_noise(1);
  noise.known.clear();
  EXPECT_TRUE(noise.low().isZero(0));
  EXPECT_TRUE(noise.high().isZero(0));
}

}  // namespace
}  // namespace deltaproof
