#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/bounds/approximate.hpp"
#include "tests/reference/bounds/simulated/float_ops.hpp"

// dot, hadamard and rounded enclose what a kernel computes from operands anywhere within their
// errors.

namespace deltaproof {
namespace {

using simulated::Dots;
using simulated::to_floats;
using simulated::to_matrix;

class Enclosures : public testing::Test {
 protected:
  Matrix normal(Index rows, Index columns, double size = 1) {
    std::normal_distribution<double> deviate;
    Matrix m(rows, columns);
    for (Index i = 0; i < m.size(); ++i)
      m.data()[i] = round_to_nearest_even(formats::bf16, size * deviate(random_));
    return m;
  }

  // A value within x.error of the exact value at a state within x.drift: signs at random, or all
  // one way.
  Matrix within(const Approximate& x, bool all_one_way) {
    Matrix m = x.exact;
    for (Index i = 0; i < m.size(); ++i) {
      double sign = all_one_way ? 1 : std::uniform_real_distribution<double>(-1, 1)(random_);
      if (all_one_way && m.data()[i] < 0) sign = -1;
      m.data()[i] += sign * x.error.data()[i];
    }
    return m;
  }

  std::mt19937_64 random_{1};
};

double worst(const Matrix& value, const Approximate& bound) {
  return ((value - bound.exact).cwiseAbs().array() / bound.error.array()).maxCoeff();
}

TEST_F(Enclosures, OfDotsHoldForEveryAccumulator) {
  const Approximate x = exactly(normal(9, 40)), y = exactly(normal(40, 7));
  for (const Dots dots :
       {Dots::hopper, Dots::ampere, Dots::fma, Dots::pairwise, Dots::exact_once}) {
    const Approximate product =
        dot(x, y, accumulation_error(tensor_core("any"), Operand::bf16, 40));
    const Matrix value = to_matrix(
        multiply(to_floats(x.exact), to_floats(y.exact.transpose()), {}, dots, Operand::bf16));
    EXPECT_LE(worst(value, product), 1);
  }
}

// Large terms of one sign first, then many that fall below the last bit kept.
TEST_F(Enclosures, OfDotsAreNearlyAttainedByAccumulatorsThatTruncate) {
  Matrix x = Matrix::Constant(1, 256, 0x1p-20), y = Matrix::Constant(256, 1, 1 - 0x1p-8);
  x(0, 0) = 2;
  y(0, 0) = 1 - 0x1p-8;
  const Approximate product =
      dot(exactly(x), exactly(y), accumulation_error(tensor_core("ampere"), Operand::bf16, 256));
  const Matrix value =
      to_matrix(multiply(to_floats(x), to_floats(y.transpose()), {}, Dots::ampere, Operand::bf16));
  EXPECT_LE(worst(value, product), 1);
  EXPECT_GT(worst(value, product), 0.25);
}

TEST_F(Enclosures, OfDotsHoldForPerturbedOperandsAndAreAttained) {
  for (int trial = 0; trial < 20; ++trial) {
    Approximate x = exactly(normal(5, 12)), y = exactly(normal(12, 6));
    x.error = 0x1p-8 * x.exact.cwiseAbs();
    y.error = 0x1p-6 * y.exact.cwiseAbs();
    const Approximate product = dot(x, y, 0);
    EXPECT_LE(worst(within(x, false) * within(y, false), product), 1);
  }
  // All terms of one sign, all errors outwards: equality but for the subnormal term.
  Approximate x = exactly(Matrix::Constant(1, 8, 1.0)), y = exactly(Matrix::Constant(8, 1, 2.0));
  x.error = Matrix::Constant(1, 8, 0.25);
  y.error = Matrix::Constant(8, 1, 0.5);
  const Approximate product = dot(x, y, 0);
  EXPECT_GT(worst(within(x, true) * within(y, true), product), 1 - 0x1p-40);
}

// Drift is no error, but operands are larger by it.
TEST_F(Enclosures, TakeDriftAsSizeOnly) {
  Approximate x = exactly(Matrix::Constant(1, 2, 1.0)), y = exactly(Matrix::Constant(2, 1, 1.0));
  y.drift = Matrix::Constant(2, 1, 3.0);
  x.error = Matrix::Constant(1, 2, 0.5);
  const Approximate product = dot(x, y, 0);
  EXPECT_EQ(product.exact(0, 0), 2);
  EXPECT_EQ(product.drift(0, 0), 6);
  EXPECT_EQ(product.error(0, 0),
            0.5 * 4 * 2);  // what underflow may lose is far below one ulp of it
  const Approximate scaled =
      hadamard(y, {Matrix::Constant(2, 1, 2.0), Matrix::Constant(2, 1, 0.25)}, 0);
  EXPECT_EQ(scaled.drift(0, 0), 6);
  EXPECT_GE(scaled.error(0, 0), 4 * 0.25);
  EXPECT_EQ(y.size_at_state()(0, 0), 4);
  EXPECT_EQ(y.transpose().drift.cols(), 2);
}

TEST_F(Enclosures, OfProductsHoldElementByElementAndByRows) {
  for (const Index columns : {Index{1}, Index{6}}) {
    Approximate x = exactly(normal(5, 6)), y = exactly(normal(5, columns));
    x.error = 0x1p-8 * x.exact.cwiseAbs();
    y.error = 0x1p-5 * y.exact.cwiseAbs();
    const Approximate product = hadamard(x, y, u32);
    for (const bool one_way : {true, false}) {
      const Matrix factor = within(y, one_way);
      const Matrix value =
          within(x, one_way).cwiseProduct(columns == 1 ? Matrix(factor.replicate(1, 6)) : factor);
      EXPECT_LE(worst(value * (1 + u32), product), 1);
      if (one_way) {
        EXPECT_GT(worst(value * (1 + u32), product), 0.999999);
      }
    }
  }
}

// fp32 products below 2^-126 lose more than their relative error.
TEST_F(Enclosures, OfProductsHoldInTheSubnormalRange) {
  for (double size = 0x1p-60; size > 0x1p-80; size *= 0.77) {
    const auto x = static_cast<float>(size), y = static_cast<float>(1.37 * size);
    const Approximate product =
        hadamard(exactly(Matrix::Constant(1, 1, x)), exactly(Matrix::Constant(1, 1, y)), u32);
    const double value = static_cast<double>(x * y);
    ASSERT_LE(std::abs(value - product.exact(0, 0)), product.error(0, 0)) << size;
  }
}

TEST_F(Enclosures, OfDotsHoldForSubnormalF16Factors) {
  // 2^-24 is aligned as if its exponent were -14: with large partners of both signs little of it is
  // left.
  Matrix x = Matrix::Constant(1, 16, 0x1p-24), y = Matrix::Constant(16, 1, 1.0009765625);
  const Approximate product =
      dot(exactly(x), exactly(y), accumulation_error(tensor_core("hopper"), Operand::f16, 16));
  const Matrix value =
      to_matrix(multiply(to_floats(x), to_floats(y.transpose()), {}, Dots::hopper, Operand::f16));
  EXPECT_LE(worst(value, product), 1);
}

TEST_F(Enclosures, OfRoundedValuesCoverErrorAndRounding) {
  Approximate x = exactly(normal(4, 4));
  x.error = 0x1p-10 * x.exact.cwiseAbs();
  const Approximate stored = rounded(x, nearest(formats::bf16));
  const Matrix value =
      within(x, true).unaryExpr([](double v) { return round_to_nearest_even(formats::bf16, v); });
  EXPECT_LE(worst(value, stored), 1);
  EXPECT_EQ(rounded(x, not_rounded).error, x.error);
}

}  // namespace
}  // namespace deltaproof
