// Equal unit keys: L = beta below the diagonal, everywhere, and X is known without a solve: with s_i = sum_{j<i} X_j,
//   X_i = R_i - beta s_i,  s_{i+1} = (1 - beta) s_i + R_i,   for beta = 1: X_i = R_i - R_{i-1}.
// R are small integers and beta is 1, 2 or 1/2: exact in double, for 1/2 nearly (`rounding`). An inverse by powers of
// L, (I - L)(I + L^2)(I + L^4) .., has entries up to C(62, 31) ~ 5e17 on its way at C = 64, beta = 1: NaN in fp16,
// and no correct bit left in fp32.
#include <cmath>
#include <utility>

#include "properties/runs/solve_properties.hpp"
#include "properties/runs/solve_verdict.hpp"

namespace deltaproof {
namespace {

// Sizes and way of the trial's; L and R its own.
SolveProblem equal_keys(const SolveProblem& of, double beta) {
  SolveProblem problem = of;
  problem.name = of.name + ", equal keys";
  problem.L.assign(of.L.size(), std::nanf(""));
  for (std::size_t e = 0; e < problem.L.size(); ++e) {
    const auto C = static_cast<std::size_t>(of.C);
    if (e / C % C > e % C) problem.L[e] = static_cast<float>(beta);
  }
  for (std::size_t e = 0; e < problem.R.size(); ++e) problem.R[e] = static_cast<float>((e * 7 + e / 5) % 15) - 7;
  return problem;
}

// Integers for beta = 1 and 2, exact in double. For beta = 1/2 each row has one binary digit more: from row 50 on
// sums are rounded, |sum| <= 14, each by at most 14 * 2^-53, beside half of what was lost before: X is off by less.
constexpr double rounding = 0x1p-48;

Matrix closed(const SolveProblem& problem, std::int64_t b, double beta) {
  Matrix X = solved_matrix(problem, b, problem.R);
  RowVector sum = RowVector::Zero(X.cols());
  for (Index i = 0; i < X.rows(); ++i) {
    const RowVector R = X.row(i);
    X.row(i) = R - beta * sum;
    sum = (1 - beta) * sum + R;
  }
  return X;
}

void judge_matrix(const SolveProblem& problem, std::int64_t b, double beta, const std::vector<float>& X,
                  SolveSpan& span, Verdict& verdict) {
  const Matrix computed = solved_matrix(problem, b, X), exact = closed(problem, b, beta);
  const SolveAnswer answer = solve_answer(problem, b, finite_part(computed));
  span.proved = span.proved && answer.bound.allFinite();
  ZeroProbe zeros;
  for (Index i = 0; i < computed.size(); ++i) {
    const double bound = answer.bound.data()[i] + rounding;
    zeros.add(exact.data()[i], bound);
    judge_solved(problem, b * computed.size() + i, computed.data()[i], exact.data()[i], bound, verdict);
  }
  span.accepts_wrong = span.accepts_wrong || zeros.accepted();
}

Verdict check(const SolveTrial& trial, const std::vector<float>&, Verdict verdict) {
  verdict.bound = trial.problem.blocked_inverse ? "blocked inverse" : "substitution";
  SolveSpan span;
  for (const double beta : {1.0, 2.0, 0.5}) {
    const SolveProblem problem = equal_keys(trial.problem, beta);
    const std::vector<float> X = solve(trial.device, problem);
    for (std::int64_t b = 0; b < problem.batch; ++b) judge_matrix(problem, b, beta, X, span, verdict);
  }
  return solve_outcome(std::move(verdict), span);
}

}  // namespace

const SolveProperty solve_closed_form{
    "solve_closed_form",
    "equal keys: X is the closed form X_i = R_i - beta sum_{j<i} (1 - beta)^{i-1-j} R_j, "
    "within its proven bound",
    &says_always, &check};

}  // namespace deltaproof
