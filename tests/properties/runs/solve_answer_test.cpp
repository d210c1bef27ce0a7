#include "properties/runs/solve_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace deltaproof {
namespace {

float at(const std::vector<float>& m, std::int64_t i, std::int64_t j, std::int64_t columns) {
  return m[static_cast<std::size_t>(i * columns + j)];
}

// x_i = R_i - sum_r L_ir x_r in a chain of fma, r ascending: what the kernel is to do.
Matrix substituted(const SolveProblem& problem, bool fused = true) {
  std::vector<float> X = problem.R;
  X.resize(static_cast<std::size_t>(problem.C * problem.columns));
  for (std::int64_t i = 0; i < problem.C; ++i) {
    for (std::int64_t j = 0; j < problem.columns; ++j) {
      float x = at(problem.R, i, j, problem.columns);
      for (std::int64_t r = 0; r < i; ++r) {
        const float l = -at(problem.L, i, r, problem.C), other = at(X, r, j, problem.columns);
        x = fused ? std::fma(l, other, x) : static_cast<float>(double{x} + double{static_cast<float>(l * other)});
      }
      X[static_cast<std::size_t>(i * problem.columns + j)] = x;
    }
  }
  Matrix result(problem.C, problem.columns);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = double{X[static_cast<std::size_t>(i)]};
  return result;
}

// Case `index` of the plan that is solved by substitution.
SolveProblem substitution_case(std::uint64_t index) { return solve_case(4, 2 * index); }

TEST(SolveAnswer, SubstitutionInFp32IsWithinItsBound) {
  for (std::uint64_t i = 0; i < 24; ++i) {
    const SolveProblem problem = substitution_case(i);
    ASSERT_FALSE(problem.blocked_inverse);
    const Matrix X = substituted(problem);
    const SolveAnswer answer = solve_answer(problem, 0, X);
    EXPECT_TRUE(((X - answer.X).cwiseAbs().array() <= answer.bound.array()).all()) << problem.name;
  }
}

// By the inverse, for C = 16: the diagonal block as the kernel forms it, then T R, in chains of fma.
Matrix by_inverse(const SolveProblem& problem) {
  float T[16][16] = {};
  for (int j = 0; j < 16; ++j) {
    T[j][j] = 1;
    for (int i = j + 1; i < 16; ++i) {
      float sum = 0;
      for (int r = j + 1; r < i; ++r) sum = std::fma(-at(problem.L, i, r, 16), T[r][j], sum);
      T[i][j] = sum - at(problem.L, i, j, 16);
    }
  }
  Matrix result(16, problem.columns);
  for (int i = 0; i < 16; ++i) {
    for (std::int64_t c = 0; c < problem.columns; ++c) {
      float x = 0;
      for (int r = 0; r <= i; ++r) x = std::fma(T[i][r], at(problem.R, r, c, problem.columns), x);
      result(i, c) = double{x};
    }
  }
  return result;
}

// T_20 = L_10 L_21 = 1e-44 is subnormal, with half a step of 7e-46 to lose, which R_0 makes 7e-36.
TEST(SolveAnswer, AnInverseThatUnderflowsIsWithinItsBound) {
  SolveProblem problem;
  problem.C = 16;
  problem.columns = 1;
  problem.blocked_inverse = true;
  problem.L.assign(16 * 16, 0);
  problem.L[1 * 16 + 0] = problem.L[2 * 16 + 1] = 1e-22f;
  problem.R.assign(16, 0);
  problem.R[0] = 1e10f;
  const Matrix X = by_inverse(problem);
  const SolveAnswer answer = solve_answer(problem, 0, X);
  EXPECT_GT(std::abs(X(2, 0) - answer.X(2, 0)), 1e-37);
  EXPECT_TRUE(((X - answer.X).cwiseAbs().array() <= answer.bound.array()).all());
}

TEST(SolveAnswer, BoundSeesOneWrongProduct) {
  // The coefficient with the largest effect, at a random-key problem of well-conditioned L.
  for (std::uint64_t i = 0; i < 24; ++i) {
    SolveProblem problem = substitution_case(i);
    if (problem.name.find("near_parallel") != std::string::npos) continue;
    SolveProblem wrong = problem;
    const auto last = static_cast<std::size_t>((problem.C - 1) * problem.C);  // L of the last row, first column
    wrong.L[last] = 0;
    const Matrix X = substituted(wrong);
    const SolveAnswer answer = solve_answer(problem, 0, X);
    const double effect = std::abs(double{problem.L[last]}) * X.row(0).cwiseAbs().maxCoeff();
    const bool seen = ((X - answer.X).cwiseAbs().array() > answer.bound.array()).any();
    EXPECT_EQ(seen, effect > answer.bound.row(problem.C - 1).maxCoeff()) << problem.name;
  }
}

TEST(SolveAnswer, OfADiagonalSystemIsTheRightHandSide) {
  SolveProblem problem;
  problem.C = 16;
  problem.columns = 2;
  problem.L.assign(16 * 16, 0);
  for (int i = 0; i < 32; ++i) problem.R.push_back(static_cast<float>(i) - 7.5f);
  const Matrix X = substituted(problem);
  for (const bool blocked : {false, true}) {
    problem.blocked_inverse = blocked;
    const SolveAnswer answer = solve_answer(problem, 0, X);
    EXPECT_EQ(answer.X, X);
    EXPECT_TRUE((answer.bound.array() < 1e-4).all());
  }
}

TEST(SolveAnswer, NothingIsProvedOfAHopelessSystem) {
  SolveProblem problem;
  problem.C = 64;
  problem.columns = 1;
  problem.L.assign(64 * 64, 3e8f);  // grows by 3e8 a row
  problem.R.assign(64, 1);
  const SolveAnswer answer = solve_answer(problem, 0, Matrix::Zero(64, 1));
  EXPECT_FALSE(answer.bound.allFinite());
}

TEST(SolveCase, PlanTakesEverySizeBothWaysAndHidesWhatMustNotBeRead) {
  for (std::int64_t i = 0; i < usual_solve_cases; ++i) {
    const SolveProblem problem = solve_case(0, static_cast<std::uint64_t>(i));
    EXPECT_EQ(problem.C, 16 << (i / 2));
    EXPECT_EQ(problem.blocked_inverse, i % 2 == 1);
    EXPECT_EQ(problem.L.size(), static_cast<std::size_t>(problem.batch * problem.C * problem.C));
    EXPECT_TRUE(std::isnan(problem.L[0]));
    EXPECT_FALSE(std::isnan(problem.L[static_cast<std::size_t>(problem.C)]));
  }
}

}  // namespace
}  // namespace deltaproof
