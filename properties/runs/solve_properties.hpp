#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/runs/solve_check.hpp"

namespace deltaproof {

/// What a property of the triangular solve is put to.
struct SolveTrial {
  const SolveProblem& problem;
  const Device& device;
  const SolveChecks& checks;  ///< for `schedules`, `checked` and `against_host`: with what bits are compared
};

/// Something that is true of every right solve.
struct SolveProperty {
  std::string_view name;  ///< "solve_residual"
  std::string_view sentence;
  /// Why it says nothing here; empty if it does. Runs nothing.
  std::string (*why_not)(const SolveTrial&);
  /// `X`: of the device, on the problem. The verdict's names are filled in. Throws KernelError.
  Verdict (*check)(const SolveTrial&, const std::vector<float>& X, Verdict);
};

/// For `why_not` of a property that says something of every solve.
inline std::string says_always(const SolveTrial&) { return {}; }

/// `accuracy` first; then bits (`schedules`, `checked`, `against_host`), then the laws of the solve.
std::span<const SolveProperty* const> solve_properties();
/// nullptr if the name is unknown.
const SolveProperty* find_solve_property(std::string_view name);

/// Solves the problem and puts the result to the property; `skipped` where that says nothing, `error` for a fault.
Verdict check_solve_property(const SolveProperty& property, const SolveTrial& trial);
/// The same of an X that is known.
Verdict check_solved(const SolveProperty& property, const SolveTrial& trial, const std::vector<float>& X);

// One file each.
extern const SolveProperty solve_accuracy, solve_schedules, solve_checked, solve_against_host, solve_equivalence,
    solve_residual, solve_closed_form;

}  // namespace deltaproof
