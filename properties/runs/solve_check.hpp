#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/built_in/solve.hpp"
#include "reference/problem/matrix.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// How far X of a correct fp32 solve may be from the exact X, and that X.
struct SolveAnswer {
  Matrix X;      ///< C x columns
  Matrix bound;  ///< infinite where nothing is proved
  /// What a right solve may hold on its way to the element: where that is beyond fp32 it may have infinities, and
  /// what it then says is no fault of its own.
  Matrix largest;
};

/// The answer for member `index` of the batch. `computed`: the X under judgement, C x columns, 0 where it is not
/// finite; the bound of a substitution needs its size (docs/kernels.md, 'The solve').
SolveAnswer solve_answer(const SolveProblem& problem, std::int64_t index, const Matrix& computed);

/// R - (I + L) X of the X under judgement, in quadruple precision, and how large it may be for a correct solve.
struct SolveResidual {
  Matrix residual, bound;
};
SolveResidual solve_residual_of(const SolveProblem& problem, std::int64_t index, const Matrix& computed);

/// Problem `index` of a plan: sizes, right-hand sides and L = strictly lower part of Diag(b) K K^T take turns:
/// random, nearly parallel, and, after the usual cases, equal and orthonormal keys; both ways to solve. What must not
/// be read is NaN.
SolveProblem solve_case(std::uint64_t seed, std::uint64_t index);
/// Cases that take every size both ways.
inline constexpr std::int64_t usual_solve_cases = 6;

/// Verdicts on one problem: `accuracy`, then bits against each that is asked for (as `check_run`).
struct SolveChecks {
  std::vector<NamedDevice> schedules;
  std::shared_ptr<const Device> checked;
  std::optional<NamedDevice> against;
};
std::vector<Verdict> check_solve(const SolveProblem& problem, const Device& device, const SolveChecks& checks);

}  // namespace deltaproof
