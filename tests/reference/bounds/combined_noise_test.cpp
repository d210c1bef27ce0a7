// Fewer sources, the same noise: what enters an output in the same way is merged, and nothing else.
#include <gtest/gtest.h>

#include <string>

#include "tests/reference/bounds/random_noise.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;

// Sums of two variances are added in another order; a few operations more than in the dense sum.
void expect_near(const Matrix& found, const Matrix& exact, const Vector& size) {
  ASSERT_EQ(found.rows(), exact.rows());
  ASSERT_EQ(found.cols(), exact.cols());
  for (Index i = 0; i < exact.size(); ++i) EXPECT_NEAR(found.data()[i], exact.data()[i], rounding * size(i));
}

void expect_same_projection(const ProjectedNoise& found, const ProjectedNoise& exact, double variance_size,
                            double rehearsal_size) {
  EXPECT_NEAR(found.variance, exact.variance, rounding * variance_size);
  EXPECT_NEAR(found.rehearsal, exact.rehearsal, rounding * rehearsal_size);
  EXPECT_EQ(found.worst, exact.worst);
  EXPECT_EQ(found.known, exact.known);
}

void expect_same(const Noise& found, const Noise& noise, const Matrix& weights) {
  const Dense d = dense(noise);
  expect_near(found.variance(), noise.variance(), d.covariance.diagonal());
  expect_near(found.rehearsal(), noise.rehearsal(), d.rehearsal_size);
  const Vector w = flat(weights).cwiseAbs();
  const double variance_size = w.dot(d.sizes * w), rehearsal_size = w.dot(d.rehearsal_size);
  expect_same_projection(project(found, weights), project(noise, weights), variance_size, rehearsal_size);
  const auto rows = project_rows(found, weights), exact_rows = project_rows(noise, weights);
  const auto columns = project_columns(found, weights), exact_columns = project_columns(noise, weights);
  ASSERT_EQ(rows.size(), exact_rows.size());
  ASSERT_EQ(columns.size(), exact_columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expect_same_projection(rows[i], exact_rows[i], variance_size, rehearsal_size);
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    expect_same_projection(columns[j], exact_columns[j], variance_size, rehearsal_size);
  }
}

Matrix weights_of(const Noise& noise, std::uint64_t seed) {
  return Random(seed + 800).normal(noise.worst.rows(), noise.worst.cols());
}

// The first four sources: both identities, a left factor, a right one, both. Of each a second one with errors of its
// own, after all of the first.
TEST(CombinedNoise, MergesWhatEntersInTheSameWay) {
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    Noise noise = random_noise(seed);
    noise.random.resize(4);
    const Noise once = noise;
    Random random(seed + 700);
    for (NoiseSource twin : once.random) {
      twin.name = "twin of " + twin.name;
      twin.variance = random.normal(twin.variance.rows(), twin.variance.cols()).cwiseAbs2();
      twin.rehearsal = random.normal(twin.variance.rows(), twin.variance.cols());
      noise.random.push_back(twin);
    }
    const Noise found = combined(noise);
    ASSERT_EQ(found.random.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      const NoiseSource &first = noise.random[i], &second = noise.random[i + 4], &sum = found.random[i];
      EXPECT_EQ(sum.name, first.name + ", " + second.name);
      EXPECT_EQ(sum.left, first.left);
      EXPECT_EQ(sum.right, first.right);
      EXPECT_EQ(sum.variance, first.variance + second.variance);
      EXPECT_EQ(sum.rehearsal, first.rehearsal + second.rehearsal);
    }
    expect_same(found, noise, weights_of(noise, seed));
  }
}

NoiseSource source(const char* name, const Matrix& left, const Matrix& right, Index rows, Index cols) {
  return bounded_noise(name, left, right, Matrix::Ones(rows, cols), Matrix::Constant(rows, cols, 0.5));
}

// Of a 2 x 3 output: factors of the same numbers in another shape, of one other number, of a number more, and one
// factor alike.
TEST(CombinedNoise, KeepsApartWhatDoesNot) {
  const Matrix left = Matrix::Ones(2, 2), right = Matrix::Ones(3, 3);
  Matrix other_left = left, other_right = right;
  other_left(1, 1) = 2;
  other_right(2, 2) = 2;
  Noise noise{{}, {}, Matrix::Zero(2, 3)};
  noise.random = {source("both", left, right, 2, 3),
                  source("left of one more column", Matrix::Ones(2, 3), right, 3, 3),
                  source("left of one column", Matrix::Ones(2, 1), right, 1, 3),
                  source("left of another number", other_left, right, 2, 3),
                  source("left alone", left, {}, 2, 3),
                  source("right of one more row", left, Matrix::Ones(4, 3), 2, 4),
                  source("right of one row", left, Matrix::Ones(1, 3), 2, 1),
                  source("right of another number", left, other_right, 2, 3),
                  source("right alone", {}, right, 2, 3),
                  source("neither", {}, {}, 2, 3)};
  const Noise found = combined(noise);
  ASSERT_EQ(found.random.size(), noise.random.size());
  for (std::size_t i = 0; i < noise.random.size(); ++i) EXPECT_EQ(found.random[i].name, noise.random[i].name);
  expect_same(found, noise, Matrix::Ones(2, 3));
}

}  // namespace
}  // namespace deltaproof
