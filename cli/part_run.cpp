#include "cli/part_run.hpp"

#include <fmt/format.h>

#include "cli/reproduction.hpp"
#include "cli/wanted.hpp"
#include "properties/runs/solve_properties.hpp"
#include "properties/stages/stage.hpp"
#include "properties/stages/stage_properties.hpp"

namespace deltaproof::cli {

PartRun::PartRun(const BuiltInInfo& info, const CheckArguments& arguments, const KernelDevices& devices)
    : info_(info),
      arguments_(arguments),
      devices_(devices),
      checks_{devices.schedules, devices.checked, devices.against} {}

std::int64_t PartRun::usual() const {
  const StageKernel* stage = find_stage(info_.name);
  return stage != nullptr ? stage->usual_cases : usual_solve_cases;
}

std::vector<Verdict> PartRun::on_generated(std::uint64_t index) const {
  std::vector<Verdict> verdicts = find_stage(info_.name) != nullptr ? on_stage(index) : on_solve(index);
  for (Verdict& verdict : verdicts) {
    verdict.reproduce = with_property(
        arguments_, reproduction(arguments_, info_.name, "") + fmt::format(" --only {}", index), verdict);
    if (arguments_.report && verdict.property == "accuracy" && verdict.status == Status::failed) {
      verdict.notes.push_back("not explained: explanations are of rules, and this is a part of a kernel");
    }
  }
  return verdicts;
}

std::vector<Verdict> PartRun::on_solve(std::uint64_t index) const {
  const SolveProblem problem = solve_case(arguments_.seed, index);
  const SolveTrial trial{problem, *devices_.main, checks_};
  std::vector<Verdict> verdicts;
  for (const SolveProperty* property : solve_properties()) {
    if (!asked(property->name, !property->why_not(trial).empty())) continue;
    verdicts.push_back(check_solve_property(*property, trial));
  }
  return verdicts;
}

std::vector<Verdict> PartRun::on_stage(std::uint64_t index) const {
  const StageProblem problem = find_stage(info_.name)->draw(arguments_.seed, index);
  const StageTrial trial{problem, *devices_.main, checks_, arguments_.seed};
  std::vector<Verdict> verdicts;
  for (const StageProperty* property : stage_properties()) {
    if (!property->is_of(info_.name) || !asked(property->name, !property->why_not(trial).empty())) continue;
    verdicts.push_back(check_stage_property(*property, trial));
  }
  return verdicts;
}

bool PartRun::asked(std::string_view property, bool says_nothing) const {
  return wanted(arguments_, property) && !(says_nothing && arguments_.kernel.properties.empty());
}

bool part_has_property(const BuiltInInfo& kernel, const std::string& name) {
  if (find_stage(kernel.name) == nullptr) return find_solve_property(name) != nullptr;
  const StageProperty* property = find_stage_property(name);
  return property != nullptr && property->is_of(kernel.name);
}

}  // namespace deltaproof::cli
