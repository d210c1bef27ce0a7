// Weighted sums of an output's errors against the dense covariance of all its elements.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/reference/bounds/random_noise.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;

void expect_projection(const ProjectedNoise& found, const Noise& noise, const Matrix& w) {
  const Dense d = dense(noise);
  const Vector y = flat(w), size = y.cwiseAbs();
  EXPECT_NEAR(found.variance, y.dot(d.covariance * y), rounding * size.dot(d.sizes * size));
  EXPECT_NEAR(found.rehearsal, y.dot(d.rehearsal), rounding * size.dot(d.rehearsal_size));
  const double worst = size.dot(flat(noise.worst));
  EXPECT_NEAR(found.worst, worst, rounding * worst);
  ASSERT_EQ(found.known.size(), noise.known.size());
  for (const KnownRounding& known : noise.known) {
    const std::vector<double>& sums = found.known.at(known.name);
    ASSERT_EQ(sums.size(), known.effects.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Vector effect = flat(known.effects[i]);
      EXPECT_NEAR(sums[i], y.dot(effect), rounding * size.dot(effect.cwiseAbs())) << known.name;
    }
  }
}

TEST(ProjectedNoise, IsThatOfAWeightedSum) {
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    const Noise noise = random_noise(seed);
    const Matrix w = Random(seed + 200).normal(noise.worst.rows(), noise.worst.cols());
    expect_projection(project(noise, w), noise, w);
  }
}

TEST(ProjectedNoise, OfRowsIsThatOfWeightsInOneRow) {
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    const Noise noise = random_noise(seed);
    const Matrix w = Random(seed + 300).normal(noise.worst.rows(), noise.worst.cols());
    const std::vector<ProjectedNoise> rows = project_rows(noise, w);
    ASSERT_EQ(static_cast<Index>(rows.size()), w.rows());
    for (Index i = 0; i < w.rows(); ++i) {
      Matrix one = Matrix::Zero(w.rows(), w.cols());
      one.row(i) = w.row(i);
      expect_projection(rows[static_cast<std::size_t>(i)], noise, one);
    }
  }
}

TEST(ProjectedNoise, OfColumnsIsThatOfWeightsInOneColumn) {
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    const Noise noise = random_noise(seed);
    const Matrix w = Random(seed + 400).normal(noise.worst.rows(), noise.worst.cols());
    const std::vector<ProjectedNoise> columns = project_columns(noise, w);
    ASSERT_EQ(static_cast<Index>(columns.size()), w.cols());
    for (Index j = 0; j < w.cols(); ++j) {
      Matrix one = Matrix::Zero(w.rows(), w.cols());
      one.col(j) = w.col(j);
      expect_projection(columns[static_cast<std::size_t>(j)], noise, one);
    }
  }
}

// A kernel makes the same choice in each chunk; what one chunk does not have adds nothing.
TEST(ProjectedNoise, AddsByNameAndChoice) {
  ProjectedNoise sum{1, 2, 3, {{"both", {1, 2}}, {"first", {5}}}};
  sum.add({10, 20, 30, {{"both", {10, 20, 30}}, {"second", {7, 8}}}});
  EXPECT_EQ(sum.variance, 11);
  EXPECT_EQ(sum.worst, 22);
  EXPECT_EQ(sum.rehearsal, 33);
  EXPECT_EQ(sum.known, (std::map<std::string, std::vector<double>>{
                           {"both", {11, 22, 30}}, {"first", {5}}, {"second", {7, 8}}}));
}

TEST(ProjectedNoise, FindsTheNearestOfAllChoices) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix e = random.normal(1, 6);
    const ProjectedNoise noise{.known = {{"one", {e(0)}}, {"two", {e(1), e(2)}}, {"three", {e(3), e(4), e(5)}}}};
    const double sum = 2 * random.normal(1, 1)(0);
    double nearest = std::numeric_limits<double>::infinity();
    for (const double a : {0.0, e(0)}) {
      for (const double b : {0.0, e(1), e(2)}) {
        for (const double c : {0.0, e(3), e(4), e(5)}) {
          if (std::abs(a + b + c - sum) < std::abs(nearest - sum)) nearest = a + b + c;
        }
      }
    }
    // Three numbers of size below 8, added in some order.
    EXPECT_NEAR(noise.nearest_known(sum), nearest, 0x1p-48);
  }
}

TEST(ProjectedNoise, OfNothingKnownIsNearestToZero) { EXPECT_EQ(ProjectedNoise{}.nearest_known(3), 0); }

}  // namespace
}  // namespace deltaproof
