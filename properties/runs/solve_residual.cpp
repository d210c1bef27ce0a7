// What X leaves of the right-hand side, R - (I + L) X, exact in the X that was computed. A substitution solves
// (I + L + E) X^ = R - f with |E| <= gamma_C (I + |L|) (docs/kernels.md), so it leaves E X^ + f, however
// ill-conditioned I + L is; by blocks X^ is within B of X, which leaves at most (I + |L|) B.
#include <cmath>
#include <utility>

#include "properties/runs/solve_properties.hpp"
#include "properties/runs/solve_verdict.hpp"

namespace deltaproof {
namespace {

void judge_matrix(const SolveProblem& problem, std::int64_t b, const std::vector<float>& X, SolveSpan& span,
                  Verdict& verdict) {
  const Matrix computed = solved_matrix(problem, b, X);
  const SolveAnswer answer = solve_answer(problem, b, finite_part(computed));
  const SolveResidual left = solve_residual_of(problem, b, finite_part(computed));
  // The residual of a row rests on the rows above it, those that left fp32 among them.
  Matrix largest = answer.largest;
  for (Index i = 1; i < largest.rows(); ++i) largest.row(i) = largest.row(i).cwiseMax(largest.row(i - 1));
  span.proved = span.proved && left.bound.allFinite();
  ZeroProbe zeros;
  for (Index i = 0; i < computed.size(); ++i) {
    const std::int64_t flat = b * computed.size() + i;
    if (leaves_fp32(problem, flat, largest.data()[i], span)) continue;
    zeros.add(double{problem.R[static_cast<std::size_t>(flat)]}, left.bound.data()[i]);  // X = 0 leaves R
    const bool finite = std::isfinite(computed.data()[i]);
    judge_solved(problem, flat, finite ? left.residual.data()[i] : computed.data()[i], 0, left.bound.data()[i],
                 verdict);
  }
  span.accepts_wrong = span.accepts_wrong || zeros.accepted();
}

Verdict check(const SolveTrial& trial, const std::vector<float>& X, Verdict verdict) {
  verdict.bound = trial.problem.blocked_inverse ? "blocked inverse" : "substitution";
  SolveSpan span;
  for (std::int64_t b = 0; b < trial.problem.batch; ++b) judge_matrix(trial.problem, b, X, span, verdict);
  return solve_outcome(std::move(verdict), span);
}

}  // namespace

const SolveProperty solve_residual{"solve_residual", "R - (I + L) X is within its proven bound of zero", &says_always,
                                   &check};

}  // namespace deltaproof
