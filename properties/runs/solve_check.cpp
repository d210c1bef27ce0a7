#include "properties/runs/solve_check.hpp"

#include <utility>

#include "properties/runs/ended.hpp"
#include "properties/runs/solve_properties.hpp"
#include "properties/runs/solve_verdict.hpp"

namespace deltaproof {

std::vector<Verdict> check_solve(const SolveProblem& problem, const Device& device, const SolveChecks& checks) {
  const SolveTrial trial{problem, device, checks};
  std::vector<float> X;
  try {
    X = solve(device, problem);
  } catch (const std::exception& error) {
    return {ended_by(solve_verdict(problem, device, solve_accuracy.name), error)};
  }
  std::vector<Verdict> verdicts;
  for (const SolveProperty* property : {&solve_accuracy, &solve_schedules, &solve_checked, &solve_against_host}) {
    if (property->why_not(trial).empty()) verdicts.push_back(check_solved(*property, trial, X));
  }
  return verdicts;
}

}  // namespace deltaproof
