// The merge of the blocks of an inverse, whose operands are truncated to TF32, in the model and in the text of
// fla-chunk.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/bounds/inverse_error.hpp"
#include "tests/reference/bounds/chunk_cases.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;
using Kind = Place::Kind;

// As in chunk_noise_test.cpp, for errors of 2^-11 of a value at most: values known to 2^-41.
constexpr double agreement = 0x1p-28;

Matrix truncation(const Matrix& x) { return round_all(x, truncated(formats::tf32)) - x; }

// Mean of the truncation of numbers of the size of x, any of a binade equally likely.
Matrix mean_truncation(const Matrix& x) {
  return x.unaryExpr([](double v) { return v == 0 ? 0 : std::copysign(half_ulp(formats::tf32, v), -v); });
}

// Letters of docs/loc.md, sections 3 and 4.
struct Solve {
  Matrix L, T, N, D, X;
  Matrix read;  // scale P: what an error of U does to o

  explicit Solve(const ChunkCase& c) {
    const Index C = c.in.k.rows();
    const Matrix kk = c.in.k * c.in.k.transpose(), qk = c.in.q * c.in.k.transpose();
    Matrix between(C, C);
    for (Index i = 0; i < C; ++i) {
      for (Index j = 0; j < C; ++j) between(i, j) = std::exp(c.in.decay.sum(i, 0) - c.in.decay.sum(j, 0));
    }
    const auto B = c.in.b.col(0).asDiagonal();
    L = Matrix(B * kk.cwiseProduct(between)).triangularView<Eigen::StrictlyLower>();
    T = unit_lower_inverse(L);
    N = L - block_diagonal(L);
    D = Matrix::Identity(C, C) + block_diagonal(L);
    const Matrix decay = c.in.decay.sum.array().exp();
    X = B * (c.in.v - decay.col(0).asDiagonal() * (c.in.k * c.in.state));
    read = c.in.scale * Matrix(qk.cwiseProduct(between).triangularView<Eigen::Lower>());
  }

  Matrix below() const { return T.triangularView<Eigen::StrictlyLower>(); }
  Matrix diagonal_inverse() const { return block_diagonal(T); }
};

// Elements of blocks next to the diagonal.
Matrix next_to_diagonal(const Matrix& m) {
  Matrix result = Matrix::Zero(m.rows(), m.cols());
  for (Index i = 16; i < m.rows(); i += 16) {
    const Index n = std::min<Index>(16, m.rows() - i);
    result.block(i, i - 16, n, 16) = m.block(i, i - 16, n, 16);
  }
  return result;
}

struct Operand {
  const char* source;
  Kind place;
  Matrix x;
};

std::vector<Operand> operands(const Solve& s) {
  return {{"merge: L", Kind::merge_L, s.N}, {"merge: X", Kind::merge_X, s.below()},
          {"merge: diagonal", Kind::merge_diagonal, block_diagonal(s.below())},
          {"merge: product", Kind::merge_product, s.N * s.T - next_to_diagonal(s.N * s.T)},
          {"merge: product next to the diagonal", Kind::merge_first_product,
           next_to_diagonal(s.diagonal_inverse() * s.N)}};
}

// Without what a truncated operand times a row or column of the identity leaves as it is: row 0 of X_ii L_ij, that of
// X_ii (N X)_ij, and column 15 of (X_ii L_ij) X_jj, in their blocks. Truncating it again does nothing.
Matrix truncated_here(const Operand& operand) {
  Matrix x = operand.x;
  for (Index i = 16; i < x.rows(); ++i) {
    for (Index j = 0; j < i / 16 * 16; ++j) {
      const bool neighbours = j / 16 == i / 16 - 1;
      if (operand.place == Kind::merge_first_product && i % 16 == 0) x(i, j) = 0;
      if (operand.place == Kind::merge_X && (neighbours ? j % 16 == 15 : i % 16 == 0)) x(i, j) = 0;
    }
  }
  return x;
}

ChunkCase merged_chunk(std::uint64_t seed, Index tokens = 64) {
  return chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {tokens}, seed);
}

Matrix effect(const NoiseSource& source, const Matrix& d) { return product(product(source.left, d), source.right); }

TEST(MergeNoise, CarriesTheTruncationOfEachOperandToTheOutputs) {
  for (const Index tokens : {64, 50}) {
    const ChunkCase c = merged_chunk(3, tokens);
    for (const Operand& operand : operands(Solve(c))) {
      SCOPED_TRACE(operand.source);
      const NoiseSource *o = find(c.noise.o, operand.source), *state = find(c.noise.state, operand.source);
      ASSERT_TRUE(o != nullptr && state != nullptr);
      const Matrix d = truncation(operand.x);
      const Derivative text = derivative(c, Place::at(operand.place), By::rounding);
      EXPECT_GT(text.outputs.o.cwiseAbs().maxCoeff(), 0);
      EXPECT_LE(distance(effect(*o, d), text.outputs.o), agreement);
      EXPECT_LE(distance(effect(*state, d), text.outputs.state), agreement);
    }
  }
}

TEST(MergeNoise, RehearsesTruncationAboutItsMean) {
  const ChunkCase c = merged_chunk(4);
  for (const Operand& operand : operands(Solve(c))) {
    const NoiseSource& s = *find(c.noise.o, operand.source);
    const Matrix x = truncated_here(operand);
    EXPECT_LE(distance(s.rehearsal + mean_truncation(x), truncation(x)), agreement) << operand.source;
  }
}

TEST(MergeNoise, HasTheMeanOfAllTruncationsAsOneKnownEffect) {
  const ChunkCase c = merged_chunk(5);
  for (const Noise* noise : {&c.noise.o, &c.noise.state}) {
    Matrix mean = Matrix::Zero(noise->worst.rows(), noise->worst.cols());
    for (const Operand& operand : operands(Solve(c))) {
      mean += effect(*find(*noise, operand.source), mean_truncation(truncated_here(operand)));
    }
    const KnownRounding* known = find_known(*noise, "merge, mean");
    ASSERT_TRUE(known != nullptr);
    ASSERT_EQ(known->effects.size(), 1u);
    EXPECT_LE(distance(known->effects.front(), mean), agreement);
  }
}

// A kernel may invert a chunk by one substitution instead (docs/loc.md, Theorem 3); and a merge leaves at least what
// the substitutions of the diagonal blocks do, with products that add nothing.
TEST(MergeNoise, AllowsForTheSumsOfOneSubstitutionOrOfBlocks) {
  for (const Index tokens : {16, 50, 64}) {
    const ChunkCase c = merged_chunk(11, tokens);
    const Solve s(c);
    const Approximate L{s.L, Matrix::Zero(tokens, tokens)};
    const NoiseSource* source = find(c.noise.o, "sums of the inverse");
    ASSERT_TRUE(source != nullptr) << tokens;
    const Matrix allowed = source->variance.cwiseSqrt() * (1 + agreement);
    EXPECT_TRUE((allowed.array() >= substitution_error(L, s.T).algorithm.array()).all()) << tokens;
    EXPECT_TRUE((allowed.array() >= merged_inverse_error(L, s.T, 0, not_rounded).algorithm.array()).all()) << tokens;
  }
}

TEST(MergeNoise, IsNothingInOneBlock) {
  const ChunkCase c = merged_chunk(6, 16);
  for (const char* name : {"merge: L", "merge: X", "merge: diagonal", "merge: product",
                           "merge: product next to the diagonal"}) {
    EXPECT_EQ(find(c.noise.o, name), nullptr);
  }
  EXPECT_EQ(find_known(c.noise.o, "merge, mean"), nullptr);
}

// sum over blocks away from the diagonal of the products of absolute values: what the merged inverse is, if no two
// terms cancel.
Matrix size_of_terms(const Solve& s) {
  const Matrix E = s.diagonal_inverse().cwiseAbs() * s.N.cwiseAbs();
  return neumann_sum(E, s.diagonal_inverse().cwiseAbs());
}

// A block 3 away from the diagonal is a sum of products of at most 12 truncated numbers: X_ii, the product that it
// multiplies, and in that L_ik and X_kj, which has 8 already (2 away), as that has 4 (next to the diagonal). With
// each off by a factor of 1 - e at least, e = 2^-10, what is not of first order is at most (1 + e)^12 - 1 - 12 e of
// the terms.
TEST(MergeNoise, IsAllButTheSecondOrder) {
  constexpr double e = 0x1p-10;
  const double second = std::pow(1 + e, 12) - 1 - 12 * e;
  for (const std::uint64_t seed : {7, 8, 9, 10}) {
    const ChunkCase c = merged_chunk(seed);
    const Solve s(c);
    const MergeEffect effect = merge_effect(c);
    const Matrix left_out = effect.o - effect.first_order_o;
    const Matrix bound = second * (s.read.cwiseAbs() * (size_of_terms(s) * s.X.cwiseAbs()));
    EXPECT_TRUE((left_out.cwiseAbs().array() <= bound.array()).all()) << seed;
    EXPECT_GE(effect.first_order_o.norm(), 50 * left_out.norm()) << seed;
  }
}

// The slope of what the merges really do on the mean that is known is 1, not 0 or -1: weighted over 40 chunks, within
// 5 standard deviations of the random rest.
TEST(MergeNoise, MovesTheOutputsByItsMean) {
  double along = 0, precision = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const ChunkCase c = merged_chunk(seed);
    const Matrix& mean = find_known(c.noise.o, "merge, mean")->effects.front();
    Noise merges{{}, {}, c.noise.o.worst};
    for (const Operand& operand : operands(Solve(c))) merges.random.push_back(*find(c.noise.o, operand.source));
    const double variance = project(merges, mean).variance / (mean.squaredNorm() * mean.squaredNorm());
    along += merge_effect(c).o.cwiseProduct(mean).sum() / mean.squaredNorm() / variance;
    precision += 1 / variance;
  }
  const double deviation = 1 / std::sqrt(precision);
  EXPECT_LE(std::abs(along / precision - 1), 5 * deviation) << along / precision;
  EXPECT_LT(5 * deviation, 0.25);
}

}  // namespace
}  // namespace deltaproof
