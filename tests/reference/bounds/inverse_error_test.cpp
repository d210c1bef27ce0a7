#include <gtest/gtest.h>

#include <random>

#include "reference/bounds/inverse_error.hpp"
#include "tests/reference/bounds/simulated/inverse.hpp"

// A kernel's inverse of a perturbed I + L, in either association and with every accumulator, is
// within Theorems 2 and 3 of the inverse of the unperturbed one. Exact inverses are in long double:
// 2^-64 against 2^-24.

namespace deltaproof {
namespace {

using namespace simulated;
using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

Long exact_inverse(const Matrix& L) {
  const Index n = L.rows();
  Long X = Long::Identity(n, n);
  for (Index i = 1; i < n; ++i)
    X.row(i).head(i) -= L.row(i).head(i).cast<long double>() * X.topLeftCorner(i, i);
  return X;
}

// beta k_i . k_j below the diagonal, in fp32; `spread` of the keys around one direction (1: random
// keys).
Matrix gram(Index C, double beta, double spread, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> deviate;
  Matrix k(C, 24);
  for (Index i = 0; i < k.size(); ++i) k.data()[i] = spread * deviate(random);
  if (spread < 1) k.array() += 1;
  k.rowwise().normalize();
  Matrix L = (beta * k * k.transpose()).triangularView<Eigen::StrictlyLower>();
  return L.cast<float>().cast<double>();
}

double ratio(const Floats& value, const Long& exact, const Matrix& bound) {
  double worst = 0;
  for (Index i = 0; i < value.rows(); ++i) {
    for (Index j = 0; j < value.cols(); ++j) {
      const auto error =
          static_cast<double>(std::abs(static_cast<long double>(value(i, j)) - exact(i, j)));
      if (!(error <= bound(i, j)))
        worst = std::max(worst, bound(i, j) > 0 ? error / bound(i, j) : 1e300);
      if (bound(i, j) > 0) worst = std::max(worst, error / bound(i, j));
    }
  }
  return worst;
}

struct Keys {
  double beta, spread;
};
constexpr Keys all_keys[] = {{1, 1},        {1, 0.05},    {1.98, 1}, {1.98, 0.05},
                             {1.98, 0.001}, {2.05, 0.02}, {0.02, 1}};

// L moved by `error` in the direction that moves T most at (C - 1, 0), or at random.
Matrix perturbed(const Approximate& L, const Matrix& T, bool adversarial, std::mt19937_64& random) {
  Matrix result = L.exact;
  const Index last = T.rows() - 1;
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      double sign = T(last, i) * T(j, 0) > 0 ? -1 : 1;
      if (!adversarial) sign = std::uniform_real_distribution<double>(-1, 1)(random);
      result(i, j) = static_cast<float>(result(i, j) + 0.999 * sign * L.error(i, j));
    }
  }
  return result;
}

InverseError bound_of(const Approximate& L, const Matrix& T, Merge merge) {
  if (merge == Merge::none) return substitution_error(L, T);
  return merged_inverse_error(
      L, T,
      accumulation_error(tensor_core("any"), Operand::tf32, std::max<Index>(48, T.rows())) +
          3 * u32,
      truncated(formats::tf32));
}

class Inverses : public testing::TestWithParam<Index> {};

TEST_P(Inverses, AreWithinTheirBound) {
  const Index C = GetParam();
  std::mt19937_64 random(11);
  for (const Keys& keys : all_keys) {
    for (const double relative : {0.0, 0x1p-20, 0x1p-9}) {
      Approximate L = exactly(gram(C, keys.beta, keys.spread, 5));
      L.error = relative * L.exact.cwiseAbs();
      const Matrix T = unit_lower_inverse(L.exact);
      for (const Merge merge : {Merge::tf32_left, Merge::tf32_right, Merge::ieee, Merge::none}) {
        for (const Dots dots : {Dots::hopper, Dots::ampere, Dots::fma}) {
          for (const bool adversarial : {true, false}) {
            const Matrix moved = perturbed(L, T, adversarial, random);
            const Floats value = inverse(to_floats(moved), merge, dots);
            const InverseError bound = bound_of(L, T, merge);
            EXPECT_LE(ratio(value, exact_inverse(L.exact), bound.total()), 1)
                << "C " << C << " beta " << keys.beta << " spread " << keys.spread << " dL "
                << relative;
            EXPECT_LE(ratio(value, exact_inverse(moved), bound.algorithm), 1)
                << "against the moved matrix: C " << C << " beta " << keys.beta << " spread "
                << keys.spread;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Inverses, testing::Values(1, 15, 16, 17, 33, 64, 100),
                         testing::PrintToStringParamName());

// The adversary's dL attains the part from the input where dL is small.
TEST(InverseBounds, OfTheInputAreAttained) {
  Approximate L = exactly(gram(32, 1, 1, 3));
  L.error = 0x1p-20 * L.exact.cwiseAbs();
  const Matrix T = unit_lower_inverse(L.exact);
  std::mt19937_64 random(1);
  Matrix moved = L.exact;
  for (Index i = 0; i < 32; ++i) {
    for (Index j = 0; j < i; ++j) moved(i, j) += (T(31, i) * T(j, 0) > 0 ? -1 : 1) * L.error(i, j);
  }
  const auto change =
      static_cast<double>(std::abs(exact_inverse(moved)(31, 0) - exact_inverse(L.exact)(31, 0)));
  const double bound = substitution_error(L, T).from_input(31, 0);
  EXPECT_LE(change, bound);
  EXPECT_GT(change, 0.999 * bound);
}

// Theorem 2: errors E of a diagonal block's inverse reach the blocks below through |T D|. Where the second diagonal
// block is the identity, which has no error, T D = -N, as X_10 = -N D^-1: a merge without roundings adds |N| E, by
// products of at most 16 terms in double, which lose less than 2^-40 of it.
TEST(InverseBounds, OfADiagonalBlockReachThoseBelowThroughTD) {
  Matrix L = Matrix::Zero(32, 32);
  for (Index i = 1; i < 16; ++i) L(i, i - 1) = i % 2 == 0 ? 0.5 : -0.75;
  for (Index j = 0; j < 16; ++j) L(20, j) = 1 / static_cast<double>(j + 1);
  const Matrix T = unit_lower_inverse(L), above = L.topLeftCorner(16, 16);
  const Matrix E = substitution_error(exactly(above), unit_lower_inverse(above)).algorithm;
  const Matrix found = merged_inverse_error(exactly(L), T, 0, {}).algorithm.bottomLeftCorner(16, 16);
  const Matrix expected = L.bottomLeftCorner(16, 16).cwiseAbs() * E;
  EXPECT_GT(expected(4, 0), 0);
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 0x1p-40 * expected.maxCoeff());
}

// Products of a substitution that underflow: T_20 = 2^-150 becomes 0, or a subnormal number near 1.5 * 2^-149.
TEST(InverseBounds, CoverWhatUnderflows) {
  for (const double last : {0x1p-75, 0x1.8p-74}) {
    Matrix L = Matrix::Zero(16, 16);
    L(1, 0) = 0x1p-75, L(2, 1) = last;
    const Matrix T = unit_lower_inverse(L);
    const Floats value = inverse(to_floats(L), Merge::none, Dots::fma);
    EXPECT_NE(value(2, 0), T(2, 0));
    for (const Merge merge : {Merge::none, Merge::ieee}) {
      EXPECT_LE(ratio(value, exact_inverse(L), bound_of(exactly(L), T, merge).algorithm), 1);
    }
  }
}

TEST(InverseBounds, ChargeNothingWhereNothingIsComputed) {
  const Matrix L = Matrix::Zero(32, 32);
  EXPECT_TRUE(substitution_error(exactly(L), unit_lower_inverse(L)).algorithm.isZero(0));
}

// TF32 truncation is no part of an fp32 substitution, nor the IEEE bound of a TF32 merge.
TEST(InverseBounds, AreNotVacuous) {
  const Matrix L = gram(64, 1, 1, 2);
  const Matrix T = unit_lower_inverse(L);
  const Floats merged = inverse(to_floats(L), Merge::tf32_left, Dots::hopper);
  EXPECT_GT(ratio(merged, exact_inverse(L), substitution_error(exactly(L), T).total()), 1);
  const Matrix tight = bound_of(exactly(L), T, Merge::tf32_left).total() / 8;
  EXPECT_GT(ratio(merged, exact_inverse(L), tight), 1);
}

TEST(InverseBounds, SumTheNeumannSeriesExactly) {
  std::mt19937_64 random(4);
  Matrix E = gram(20, 0.7, 1, 6).cwiseAbs(), Y = gram(20, 1, 1, 7).cwiseAbs();
  Matrix term = Y, sum = Y;
  for (int n = 0; n < 20; ++n) {
    term = E * term;
    sum += term;
  }
  EXPECT_LE((neumann_sum(E, Y) - sum).cwiseAbs().maxCoeff(), 0x1p-45 * sum.maxCoeff());
  EXPECT_EQ(unit_lower_inverse(Matrix::Zero(3, 3)), Matrix(Matrix::Identity(3, 3)));
}

}  // namespace
}  // namespace deltaproof
