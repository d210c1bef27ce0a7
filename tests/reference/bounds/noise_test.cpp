// The spread of an output against the dense covariance of all its elements, written out.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <Eigen/Eigenvalues>

#include "reference/bounds/noise.hpp"

namespace deltaproof {
namespace {

// A term of a sum here is a product of at most 8 numbers and passes through sums over at most 6 x 5 elements, four
// times, and over 6 sources: below 2^8 roundings on either side of a comparison, each 2^-53 of the sum of the terms'
// absolute values.
constexpr double rounding = 0x1p-44;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  Index between(Index least, Index most) { return std::uniform_int_distribution<Index>(least, most)(engine_); }
  Matrix normal(Index rows, Index cols) {
    Matrix m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = deviate_(engine_);
    return m;
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> deviate_;
};

// With each kind of identity once, and general factors.
Noise random_noise(std::uint64_t seed) {
  Random random(seed);
  const Index rows = random.between(3, 6), cols = random.between(2, 5);
  Noise noise;
  for (int kind = 0; kind < 6; ++kind) {
    const bool has_left = kind % 2 != 0, has_right = kind % 4 >= 2;
    const Index a = has_left ? random.between(1, 6) : rows, b = has_right ? random.between(1, 5) : cols;
    noise.random.push_back({"source " + std::to_string(kind), has_left ? random.normal(rows, a) : Matrix(),
                            has_right ? random.normal(b, cols) : Matrix(), random.normal(a, b).cwiseAbs2(),
                            random.normal(a, b)});
  }
  noise.known = {{"one", {random.normal(rows, cols)}},
                 {"two", {random.normal(rows, cols), random.normal(rows, cols)}},
                 {"three", {random.normal(rows, cols), random.normal(rows, cols), random.normal(rows, cols)}}};
  noise.worst = random.normal(rows, cols).cwiseAbs();
  return noise;
}

constexpr std::uint64_t seeds[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

Matrix or_identity(const Matrix& m, Index n) { return m.size() == 0 ? Matrix::Identity(n, n) : m; }

// Of element (i, j) of left d right by element (p, q) of d; elements by rows.
Matrix jacobian(const NoiseSource& s, Index rows, Index cols) {
  const Matrix left = or_identity(s.left, rows), right = or_identity(s.right, cols);
  Matrix J(rows * cols, s.variance.size());
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      for (Index p = 0; p < left.cols(); ++p) {
        for (Index q = 0; q < right.rows(); ++q) J(i * cols + j, p * right.rows() + q) = left(i, p) * right(q, j);
      }
    }
  }
  return J;
}

Vector flat(const Matrix& m) { return Eigen::Map<const Vector>(m.data(), m.size()); }

struct Dense {
  Matrix covariance;  // of all elements
  Matrix sizes;       // the same with all terms positive
  Vector rehearsal, rehearsal_size;
};

Dense dense(const Noise& noise) {
  const Index rows = noise.worst.rows(), cols = noise.worst.cols(), n = rows * cols;
  Dense d{Matrix::Zero(n, n), Matrix::Zero(n, n), Vector::Zero(n), Vector::Zero(n)};
  for (const NoiseSource& s : noise.random) {
    const Matrix J = jacobian(s, rows, cols), size = J.cwiseAbs();
    d.covariance += J * flat(s.variance).asDiagonal() * J.transpose();
    d.sizes += size * flat(s.variance).asDiagonal() * size.transpose();
    d.rehearsal += J * flat(s.rehearsal);
    d.rehearsal_size += size * flat(s.rehearsal).cwiseAbs();
  }
  return d;
}

TEST(Noise, HasTheVarianceOfEachElement) {
  for (const std::uint64_t seed : seeds) {
    const Noise noise = random_noise(seed);
    const Dense d = dense(noise);
    const Vector variance = flat(noise.variance()), exact = d.covariance.diagonal();
    for (Index i = 0; i < exact.size(); ++i) EXPECT_NEAR(variance(i), exact(i), rounding * exact(i)) << seed;
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

Matrix column(std::initializer_list<double> values) {
  return Eigen::Map<const Matrix>(std::data(values), static_cast<Index>(values.size()), 1);
}

TEST(RoundingNoise, RehearsesTheRoundingOfTheExactValues) {
  const Matrix x = column({1 + 0x1p-9, -1.5 - 0x1p-10, 1 + 0x1p-8, 0});  // bf16: steps of 2^-7; a tie
  const NoiseSource s = rounding_noise("x", Matrix::Identity(4, 4), {}, x, nearest(formats::bf16));
  EXPECT_EQ(s.name, "x");
  EXPECT_EQ(s.left, Matrix(Matrix::Identity(4, 4)));
  EXPECT_EQ(s.right.size(), 0);
  EXPECT_EQ(s.rehearsal, column({-0x1p-9, 0x1p-10, -0x1p-8, 0}));
}

// h is half the spacing: 2^-8 from 1 on, 2^-7 from 2 on. A value less than 1/128 below 2 may be above it in the
// kernel. Zero is not rounded.
TEST(RoundingNoise, IsUniformOverOneSpacing) {
  const Matrix x = column({1, -1.5, 1.984, 1.985, -2, 3.9, 0});
  const NoiseSource s = rounding_noise("x", {}, {}, x, nearest(formats::bf16));
  const double one = 0x1p-16 / 3, two = 0x1p-14 / 3;
  EXPECT_EQ(s.variance, column({one, one, one, two, two, two, 0}));
}

// Truncation is off by up to a whole spacing, in one direction: half a spacing either way about its mean.
TEST(RoundingNoise, OfTruncationIsAboutItsMean) {
  const Matrix x = column({1 + 0x1p-11, -1 - 0x1p-11, 1.5, -1.5, 0});  // tf32: steps of 2^-10
  const NoiseSource s = rounding_noise("x", {}, {}, x, truncated(formats::tf32));
  EXPECT_EQ(s.rehearsal, column({0, 0, 0x1p-11, -0x1p-11, 0}));
  const double one = 0x1p-22 / 3;
  EXPECT_EQ(s.variance, column({one, one, one, one, 0}));
}

// Errors of points in the middle of 2^-17: m in each spacing, 1024 of bf16 and 128 of tf32, have the mean 0 and the
// mean square (h^2 / 3)(1 - m^-2).
TEST(RoundingNoise, HasTheMeanAndVarianceOfItsRehearsals) {
  const Index n = 124 * 1024;
  Matrix x(n, 1);
  for (Index i = 0; i < n; ++i) x(i, 0) = 1 + (static_cast<double>(i) + 0.5) * 0x1p-17;
  for (const Format& format : {formats::bf16, formats::tf32}) {
    for (const Rounding& point : {nearest(format), truncated(format)}) {
      const NoiseSource s = rounding_noise("x", {}, {}, x, point);
      const double m = format == formats::bf16 ? 1024 : 128;
      EXPECT_NEAR(s.rehearsal.squaredNorm() / s.variance.sum(), 1 - 1 / (m * m), 0x1p-30);
      EXPECT_NEAR(s.rehearsal.sum(), 0, 0x1p-30);
    }
  }
}

TEST(BoundedNoise, HasTheLargestVarianceWithinItsWidth) {
  const Matrix left = Matrix::Ones(2, 3), right = Matrix::Ones(1, 4);
  const NoiseSource s = bounded_noise("sum", left, right, column({0.5, 2, 0}));
  EXPECT_EQ(s.name, "sum");
  EXPECT_EQ(s.left, left);
  EXPECT_EQ(s.right, right);
  EXPECT_EQ(s.variance, column({0.25, 4, 0}));
  EXPECT_EQ(s.rehearsal, column({0, 0, 0}));
}

TEST(RoundAll, RoundsAsThePointDoes) {
  const Matrix x = column({1 + 0x1p-8, 1 + 3 * 0x1p-8, -1 - 0x1p-7 + 0x1p-20, 0});
  EXPECT_EQ(round_all(x, not_rounded), x);
  EXPECT_EQ(round_all(x, nearest(formats::bf16)), column({1, 1 + 0x1p-6, -1 - 0x1p-7, 0}));
  EXPECT_EQ(round_all(x, truncated(formats::bf16)), column({1, 1 + 0x1p-7, -1, 0}));
}

}  // namespace
}  // namespace deltaproof
