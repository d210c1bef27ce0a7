#include <utility>

#include "properties/runs/solve_properties.hpp"
#include "properties/runs/solve_verdict.hpp"

namespace deltaproof {
namespace {

// Elements whose right answer, or what leads to it, is beyond fp32 are left out.
void judge_matrix(const SolveProblem& problem, std::int64_t b, const std::vector<float>& X, SolveSpan& span,
                  Verdict& verdict) {
  const Matrix computed = solved_matrix(problem, b, X);
  const SolveAnswer answer = solve_answer(problem, b, finite_part(computed));
  span.proved = span.proved && answer.bound.allFinite();
  ZeroProbe zeros;
  for (Index i = 0; i < computed.size(); ++i) {
    const std::int64_t flat = b * computed.size() + i;
    if (leaves_fp32(problem, flat, answer.largest.data()[i], span)) continue;
    zeros.add(answer.X.data()[i], answer.bound.data()[i]);
    judge_solved(problem, flat, computed.data()[i], answer.X.data()[i], answer.bound.data()[i], verdict);
  }
  span.accepts_wrong = span.accepts_wrong || zeros.accepted();
}

Verdict check(const SolveTrial& trial, const std::vector<float>& X, Verdict verdict) {
  verdict.bound = trial.problem.blocked_inverse ? "blocked inverse" : "substitution";
  verdict.outputs_hash = solve_hash(trial.problem, X);
  SolveSpan span;
  for (std::int64_t b = 0; b < trial.problem.batch; ++b) judge_matrix(trial.problem, b, X, span, verdict);
  return solve_outcome(std::move(verdict), span);
}

}  // namespace

const SolveProperty solve_accuracy{"accuracy", "X is within its proven bound of the exact X", &says_always, &check};

}  // namespace deltaproof
