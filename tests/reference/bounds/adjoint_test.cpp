#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "reference/bounds/adjoint.hpp"

// A random chain of affine chunks: injected errors, carried exactly, stay within the adjoint bound,
// and signs chosen against one value attain it.

namespace deltaproof {
namespace {

constexpr Index C = 4, K = 6, V = 2, rows = 3;

struct Chain {
  std::vector<LocalBound> chunks;
  Matrix initial_error = Matrix();
};

Matrix normal(Index r, Index c, double size, std::mt19937_64& random) {
  std::normal_distribution<double> deviate;
  Matrix m(r, c);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = size * deviate(random);
  return m;
}

Terms terms(const Matrix& value) {
  Terms result(true);
  result.add("own", value);
  return result;
}

// Transitions of 2-norm `growth`.
Chain random_chain(Index length, double growth, bool initial, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Chain chain;
  for (Index n = 0; n < length; ++n) {
    LocalBound b;
    b.read = normal(C, K, 1, random);
    b.transition = normal(K, K, 1, random);
    b.transition *= growth / b.transition.jacobiSvd().singularValues()(0);
    b.transition_norm = growth * (1 + 0x1p-30);
    b.o = terms(normal(C, V, 1, random).cwiseAbs());
    b.generator = normal(rows, K, 1, random);
    b.generator_error = terms(normal(rows, V, 1, random).cwiseAbs());
    b.state = terms(normal(K, V, 1, random).cwiseAbs());
    chain.chunks.push_back(b);
  }
  if (initial) chain.initial_error = normal(K, V, 1, random).cwiseAbs();
  return chain;
}

RunBound bound_of(const Chain& chain) {
  return adjoint_bound(
      static_cast<Index>(chain.chunks.size()), K, V, chain.initial_error, [](Index) { return C; },
      [&](Index n, const Matrix&) { return chain.chunks[static_cast<std::size_t>(n)]; }, true);
}

double sign(double x) { return x < 0 ? -1 : 1; }

// The largest error of row `row` of a linear functional `y` (1 x K) of the state at the start of
// chunk n, column v: each injected error takes the sign of its own exact coefficient.
double attained(const Chain& chain, std::size_t n, RowVector y, Index v) {
  double total = 0;
  while (n-- > 0) {
    const LocalBound& b = chain.chunks[n];
    const Matrix x = b.generator_error.sum(rows, V), z = b.state.sum(K, V);
    const RowVector along = y * b.generator.transpose();
    // The sum over errors e_i with |e_i| <= c_i of coefficient_i e_i, at e_i = sign(coefficient_i)
    // c_i.
    for (Index i = 0; i < rows; ++i) total += along(i) * (sign(along(i)) * x(i, v));
    for (Index i = 0; i < K; ++i) total += y(i) * (sign(y(i)) * z(i, v));
    y = y * b.transition;
  }
  if (chain.initial_error.size() != 0) {
    for (Index i = 0; i < K; ++i) total += y(i) * (sign(y(i)) * chain.initial_error(i, v));
  }
  return total;
}

void expect_attained(const Chain& chain, double least) {
  const RunBound bound = bound_of(chain);
  for (std::size_t n = 0; n < chain.chunks.size(); ++n) {
    const LocalBound& b = chain.chunks[n];
    const Matrix o = bound.o[n].sum(C, V), state = bound.state[n].sum(K, V), own = b.o.sum(C, V);
    for (Index v = 0; v < V; ++v) {
      for (Index i = 0; i < C; ++i) {
        const double worst = own(i, v) + attained(chain, n, b.read.row(i), v);
        EXPECT_LE(worst, o(i, v) * (1 + 0x1p-40)) << "o of chunk " << n;
        EXPECT_GE(worst, least * o(i, v)) << "o of chunk " << n;
      }
      for (Index i = 0; i < K; ++i) {
        const double worst = attained(chain, n + 1, RowVector::Unit(K, i), v);
        EXPECT_LE(worst, state(i, v) * (1 + 0x1p-40)) << "state after chunk " << n;
        EXPECT_GE(worst, least * state(i, v)) << "state after chunk " << n;
      }
    }
  }
}

TEST(Adjoint, IsAttainedBySignsAgainstEachValue) {
  for (const double growth : {0.3, 1.0, 1.7}) {
    for (const bool initial : {false, true})
      expect_attained(random_chain(6, growth, initial, 5), 1 - 0x1p-30);
  }
}

// 40 chunks at 0.5: the first ones are far below 1e-6 by then and live in the ball; nothing is
// lost.
TEST(Adjoint, LosesNothingWhenFarChunksBecomeABall) {
  expect_attained(random_chain(40, 0.5, true, 6), 1 - 0x1p-10);
}

// Growth after a propagator was negligible: its ball must grow with it.
TEST(Adjoint, LetsTheBallGrow) {
  Chain chain = random_chain(36, 0.3, true, 7);
  const Chain growing = random_chain(24, 3.0, false, 8);
  chain.chunks.insert(chain.chunks.end(), growing.chunks.begin(), growing.chunks.end());
  expect_attained(chain, 0);
}

TEST(Adjoint, HoldsForRandomErrors) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto within = [&](const Matrix& m) {
    return Matrix(m.unaryExpr([&](double x) { return x * uniform(random); }));
  };
  const Chain chain = random_chain(12, 1.1, true, 10);
  const RunBound bound = bound_of(chain);
  for (int trial = 0; trial < 50; ++trial) {
    Matrix error = within(chain.initial_error);
    for (std::size_t n = 0; n < chain.chunks.size(); ++n) {
      const LocalBound& b = chain.chunks[n];
      const Matrix o = b.read * error + within(b.o.sum(C, V));
      ASSERT_TRUE((o.cwiseAbs().array() <= bound.o[n].sum(C, V).array()).all());
      error = b.transition * error +
              b.generator.transpose() * within(b.generator_error.sum(rows, V)) +
              within(b.state.sum(K, V));
      ASSERT_TRUE((error.cwiseAbs().array() <= bound.state[n].sum(K, V).array()).all());
    }
  }
}

// The local bound of each chunk is asked for with the state's error so far: what feeds back.
TEST(Adjoint, AsksEachChunkWithItsStatesError) {
  const Chain chain = random_chain(4, 1.0, false, 11);
  std::vector<Matrix> asked;
  const RunBound bound = adjoint_bound(
      4, K, V, Matrix(), [](Index) { return C; },
      [&](Index n, const Matrix& error) {
        asked.push_back(error);
        return chain.chunks[static_cast<std::size_t>(n)];
      },
      false);
  EXPECT_EQ(asked[0].size(), 0);
  for (std::size_t n = 1; n < 4; ++n) {
    const Matrix before = bound.state[n - 1].sum(K, V);
    EXPECT_LE(((asked[n] - before).cwiseAbs().array() / before.array()).maxCoeff(), 0x1p-40);
  }
}

TEST(Adjoint, KnowsNothingAfterAnErrorThatIsNotFinite) {
  Chain chain = random_chain(4, 1.0, false, 12);
  chain.chunks[1].state = terms(Matrix::Constant(K, V, std::numeric_limits<double>::infinity()));
  const RunBound bound = bound_of(chain);
  EXPECT_TRUE(bound.o[1].sum(C, V).allFinite());
  EXPECT_FALSE(bound.state[1].sum(K, V).array().isFinite().any());
  EXPECT_TRUE((bound.o[2].sum(C, V).array() == std::numeric_limits<double>::infinity()).all());
  EXPECT_TRUE((bound.state[3].sum(K, V).array() == std::numeric_limits<double>::infinity()).all());
}

}  // namespace
}  // namespace deltaproof
