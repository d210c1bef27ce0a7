// Both ways to solve on one device: by substitution and by an inverse in blocks. Each is within its own bound of the
// exact X, so they are within the sum of both of each other.
#include <utility>

#include "properties/runs/solve_properties.hpp"
#include "properties/runs/solve_verdict.hpp"

namespace deltaproof {
namespace {

struct Way {
  Matrix X;
  SolveAnswer answer;
};

Way solved(const SolveProblem& problem, std::int64_t b, const std::vector<float>& X) {
  Way way;
  way.X = solved_matrix(problem, b, X);
  way.answer = solve_answer(problem, b, finite_part(way.X));
  return way;
}

void judge_matrix(const SolveProblem& problem, std::int64_t b, const Way& one, const Way& other, SolveSpan& span,
                  Verdict& verdict) {
  const Matrix bound = (one.answer.bound + other.answer.bound) * (1 + 0x1p-30);
  const Matrix largest = one.answer.largest.cwiseMax(other.answer.largest);
  span.proved = span.proved && bound.allFinite();
  ZeroProbe zeros;
  for (Index i = 0; i < bound.size(); ++i) {
    const std::int64_t flat = b * bound.size() + i;
    if (leaves_fp32(problem, flat, largest.data()[i], span)) continue;
    const double exact = one.answer.X.data()[i];
    zeros.add(exact, bound.data()[i]);
    judge_solved(problem, flat, one.X.data()[i], other.X.data()[i], bound.data()[i], verdict);
    judge_solved(problem, flat, one.X.data()[i], exact, one.answer.bound.data()[i], verdict);
    judge_solved(problem, flat, other.X.data()[i], exact, other.answer.bound.data()[i], verdict);
  }
  span.accepts_wrong = span.accepts_wrong || zeros.accepted();
}

Verdict check(const SolveTrial& trial, const std::vector<float>& X, Verdict verdict) {
  verdict.bound = "the bounds of both ways";
  SolveProblem other = trial.problem;
  other.blocked_inverse = !other.blocked_inverse;
  const std::vector<float> of_other = solve(trial.device, other);
  SolveSpan span;
  for (std::int64_t b = 0; b < trial.problem.batch; ++b) {
    judge_matrix(trial.problem, b, solved(trial.problem, b, X), solved(other, b, of_other), span, verdict);
  }
  return solve_outcome(std::move(verdict), span);
}

}  // namespace

const SolveProperty solve_equivalence{
    "solve_equivalence",
    "substitution and inverse in blocks agree within both bounds, each within its own "
    "of the exact X",
    &says_always, &check};

}  // namespace deltaproof
