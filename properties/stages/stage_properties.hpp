#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/runs/solve_check.hpp"
#include "properties/stages/stage_problem.hpp"

namespace deltaproof {

/// With what a stage's bits are compared, as those of the solve.
using StageChecks = SolveChecks;

/// What a property of a stage is put to.
struct StageTrial {
  const StageProblem& problem;
  const Device& device;
  const StageChecks& checks;
  std::uint64_t seed = 0;  ///< of what a property draws itself
  Outputs (*run)(const Device&, const StageProblem&) = &run_stage;  ///< the stage, or a wrong one
};

/// Something that is true of every right stage.
struct StageProperty {
  std::string_view name;  ///< "stage_order"
  std::string_view sentence;
  std::string_view stage;  ///< of which it is said; empty: of all three
  /// Why it says nothing of the problem; empty if it does. Runs nothing.
  std::string (*why_not)(const StageTrial&);
  /// `outputs`: of the stage, on the problem. The verdict's names are filled in. Throws KernelError.
  Verdict (*check)(const StageTrial&, const Outputs& outputs, Verdict);

  bool is_of(std::string_view kernel) const { return stage.empty() || stage == kernel; }
};

/// `accuracy` first; then bits (`schedules`, `checked`, `against_host`), then laws.
std::span<const StageProperty* const> stage_properties();
/// nullptr if the name is unknown.
const StageProperty* find_stage_property(std::string_view name);

/// Runs the stage and puts what it gives to the property; `skipped` where that says nothing, `error` for a fault.
Verdict check_stage_property(const StageProperty& property, const StageTrial& trial);
/// All properties that say something, of one run. An `error` under the name `accuracy` if there is none.
std::vector<Verdict> check_stage(const StageTrial& trial);

// One file each. Of stage_accuracy, one for each stage.
extern const StageProperty stage_accuracy, stage_schedules, stage_checked, stage_against_host, stage_nan, stage_order,
    stage_weights, stage_order_of_entries;
Verdict judge_scores(const StageProblem& problem, const Outputs& outputs, Verdict verdict);
Verdict judge_sets(const StageProblem& problem, const Outputs& outputs, Verdict verdict);
Verdict judge_read(const StageProblem& problem, const Outputs& outputs, Verdict verdict);

}  // namespace deltaproof
