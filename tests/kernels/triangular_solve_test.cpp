#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "kernels/built_in/solve.hpp"
#include "properties/regimes/generator.hpp"
#include "properties/runs/solve_check.hpp"
#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/chunk_parts.hpp"
#include "tests/kernels/built_in_bits.hpp"

namespace deltaproof {
namespace {

// Random, three matrices with more columns than a block takes. What must not be read is NaN.
SolveProblem random_problem(std::int64_t C, bool blocked_inverse, double size) {
  SolveProblem problem{"random", 3, C, 131, blocked_inverse, {}, {}};
  Generator g(1, {static_cast<std::uint64_t>(C)});
  for (std::int64_t e = 0; e < problem.batch * C * C; ++e) {
    const std::int64_t i = e / C % C, j = e % C;
    problem.L.push_back(i > j ? static_cast<float>(g.normal() * size) : std::nanf(""));
  }
  for (std::int64_t e = 0; e < problem.batch * C * problem.columns; ++e) {
    problem.R.push_back(static_cast<float>(g.normal()));
  }
  return problem;
}

MatrixF matrix(const std::vector<float>& values, std::int64_t index, Index rows, Index columns) {
  return Eigen::Map<const MatrixF>(values.data() + index * rows * columns, rows, columns);
}

MatrixF substituted(const MatrixF& L, const MatrixF& R) {
  MatrixF X = R;
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) {
      for (Index r = 0; r < i; ++r) X(i, j) = std::fma(-L(i, r), X(r, j), X(i, j));
    }
  }
  return X;
}

// With the inverse that the declared order of the chunk kernel has.
MatrixF multiplied(const MatrixF& L, const MatrixF& R) {
  const Declared declared = built_in("deltaproof-chunk", Rule::gated_delta).value();
  const Bits bits(resolve(declared, formats::f32, formats::f32, false, false));
  const MatrixF T = unit_lower_inverse(bits, bits.strictly_lower(L));
  MatrixF X = MatrixF::Zero(R.rows(), R.cols());
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) {
      for (Index r = 0; r <= i; ++r) X(i, j) = std::fma(T(i, r), R(r, j), X(i, j));
    }
  }
  return X;
}

class TriangularSolve : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(, TriangularSolve, testing::Bool(),
                         [](const auto& test) { return test.param ? "BlockedInverse" : "Substitution"; });

TEST_P(TriangularSolve, HasTheBitsOfItsOrder) {
  const auto device = host_device();
  for (const std::int64_t C : {16, 32, 64}) {
    const SolveProblem problem = random_problem(C, GetParam(), 0.3);
    const std::vector<float> X = solve(*device, problem);
    for (std::int64_t n = 0; n < problem.batch; ++n) {
      const MatrixF L = matrix(problem.L, n, C, C), R = matrix(problem.R, n, C, problem.columns);
      const MatrixF expected = GetParam() ? multiplied(L, R) : substituted(L, R);
      const MatrixF actual = matrix(X, n, C, problem.columns);
      ASSERT_TRUE(expected.allFinite());
      EXPECT_EQ(std::memcmp(expected.data(), actual.data(), static_cast<std::size_t>(R.size()) * sizeof(float)), 0)
          << "C = " << C << ", matrix " << n << ", off by at most " << (expected - actual).cwiseAbs().maxCoeff();
    }
  }
}

// Integers small enough that nothing is rounded: the answer is exact.
TEST_P(TriangularSolve, IsExactOnSmallIntegers) {
  const auto device = host_device();
  for (const std::int64_t C : {16, 32, 64}) {
    SolveProblem problem{"integers", 1, C, 5, GetParam(), {}, {}};
    for (std::int64_t e = 0; e < C * C; ++e) {
      const std::int64_t i = e / C, j = e % C;
      problem.L.push_back(i > j && (7 * i + 5 * j) % 11 == 0 ? (i % 2 == 0 ? 1.0f : -1.0f) : 0.0f);
    }
    for (std::int64_t e = 0; e < C * problem.columns; ++e) problem.R.push_back(static_cast<float>(e % 7 - 3));
    const std::vector<float> X = solve(*device, problem);
    std::vector<std::int64_t> exact(X.size());
    for (std::int64_t i = 0; i < C; ++i) {
      for (std::int64_t j = 0; j < 5; ++j) {
        const auto at = static_cast<std::size_t>(i * 5 + j);
        exact[at] = static_cast<std::int64_t>(problem.R[at]);
        for (std::int64_t r = 0; r < i; ++r) {
          exact[at] -= static_cast<std::int64_t>(problem.L[static_cast<std::size_t>(i * C + r)]) *
                       exact[static_cast<std::size_t>(r * 5 + j)];
        }
        ASSERT_LT(std::abs(exact[at]), 1 << 22);
        EXPECT_EQ(X[at], static_cast<float>(exact[at])) << "C = " << C << ", row " << i << ", column " << j;
      }
    }
  }
}

TEST(TriangularSolveCheck, IsWithinItsBoundUnderEverySchedule) {
  SolveChecks checks;
  for (const ScheduleInfo& schedule : schedule_table()) {
    HostDeviceOptions options;
    options.schedule = schedule.schedule, options.seed = 3;
    checks.schedules.push_back({std::string(schedule.name), host_device(options)});
  }
  HostDeviceOptions checked;
  checked.build = HostBuild::checked;
  checks.checked = host_device(checked);
  const auto device = host_device();
  for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(usual_solve_cases); ++index) {
    const std::vector<Verdict> verdicts = check_solve(solve_case(2, index), *device, checks);
    EXPECT_EQ(verdicts.size(), 3u);
    for (const Verdict& verdict : verdicts) {
      EXPECT_EQ(verdict.status, Status::passed)
          << verdict.case_name << ' ' << verdict.property << ": " << verdict.reason;
    }
  }
}

}  // namespace
}  // namespace deltaproof
