// The norm of the correlation matrix against its eigenvalues.
#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Eigenvalues>

#include "tests/reference/bounds/random_noise.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;

double largest_correlation_eigenvalue(const Noise& noise) {
  const Matrix covariance = dense(noise).covariance;
  const Vector inverse = covariance.diagonal().unaryExpr([](double v) { return v > 0 ? 1 / std::sqrt(v) : 0.0; });
  const Eigen::MatrixXd correlation = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(correlation).eigenvalues().maxCoeff();
}

void expect_estimates(const Noise& noise) {
  const double exact = largest_correlation_eigenvalue(noise), estimate = correlation_norm(noise);
  EXPECT_GE(estimate, exact * (1 - rounding));
  EXPECT_LE(estimate, 2 * exact);
}

TEST(CorrelationNorm, IsTheLargestEigenvalueOrALittleMore) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    expect_estimates(random_noise(seed));
  }
}

// One source at a time: general, one that moves whole columns, whole rows, or everything together.
TEST(CorrelationNorm, HoldsForEachKindOfSource) {
  for (const std::uint64_t seed : seeds) {
    const Noise all = random_noise(seed);
    for (const NoiseSource& s : all.random) {
      SCOPED_TRACE(s.name);
      expect_estimates({{s}, {}, all.worst});
    }
    const Index rows = all.worst.rows(), cols = all.worst.cols();
    const Matrix column = Random(seed + 500).normal(rows, 1), row = Random(seed + 600).normal(1, cols);
    const auto only = [&](Matrix left, Matrix right, Index a, Index b) {
      return Noise{{bounded_noise("one", std::move(left), std::move(right), Matrix::Ones(a, b))}, {}, all.worst};
    };
    expect_estimates(only(column, {}, 1, cols));
    expect_estimates(only({}, row, rows, 1));
    const Noise together = only(column, row, 1, 1);
    expect_estimates(together);
    EXPECT_NEAR(largest_correlation_eigenvalue(together), static_cast<double>(rows * cols), 0x1p-40);
  }
}

TEST(CorrelationNorm, IsOneWhereNothingIsRandomOrAllIsIndependent) {
  Noise noise{{}, {}, Matrix::Ones(3, 2)};
  EXPECT_EQ(correlation_norm(noise), 1);
  noise.random.push_back(bounded_noise("each", {}, {}, Matrix::Ones(3, 2)));
  EXPECT_NEAR(largest_correlation_eigenvalue(noise), 1, rounding);
  expect_estimates(noise);
}

// A row that nothing moves has no correlation with any other.
TEST(CorrelationNorm, LeavesOutElementsWithoutVariance) {
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    Noise noise = random_noise(seed);
    for (NoiseSource& s : noise.random) {
      if (s.left.size() == 0) s.left = Matrix::Identity(noise.worst.rows(), noise.worst.rows());
      s.left.row(1).setZero();
    }
    expect_estimates(noise);
  }
}

}  // namespace
}  // namespace deltaproof
