#include "properties/runs/solve_properties.hpp"

#include <algorithm>
#include <utility>

#include "properties/runs/ended.hpp"
#include "properties/runs/solve_verdict.hpp"

namespace deltaproof {
namespace {

constexpr const SolveProperty* all[] = {&solve_accuracy,    &solve_schedules, &solve_checked,    &solve_against_host,
                                        &solve_equivalence, &solve_residual,  &solve_closed_form};

}  // namespace

std::span<const SolveProperty* const> solve_properties() { return all; }

const SolveProperty* find_solve_property(std::string_view name) {
  const auto found =
      std::find_if(std::begin(all), std::end(all), [&](const auto* each) { return each->name == name; });
  return found == std::end(all) ? nullptr : *found;
}

Verdict check_solved(const SolveProperty& property, const SolveTrial& trial, const std::vector<float>& X) {
  Verdict verdict = solve_verdict(trial.problem, trial.device, property.name);
  if (std::string why = property.why_not(trial); !why.empty()) {
    return ended(std::move(verdict), Status::skipped, std::move(why));
  }
  try {
    return property.check(trial, X, verdict);
  } catch (const std::exception& error) {
    return ended_by(std::move(verdict), error);
  }
}

Verdict check_solve_property(const SolveProperty& property, const SolveTrial& trial) {
  std::vector<float> X;
  try {
    X = solve(trial.device, trial.problem);
  } catch (const std::exception& error) {
    return ended_by(solve_verdict(trial.problem, trial.device, property.name), error);
  }
  return check_solved(property, trial, X);
}

}  // namespace deltaproof
