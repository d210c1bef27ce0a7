#include "properties/stages/stage_properties.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "kernels/built_in/hola_run.hpp"
#include "properties/runs/ended.hpp"

namespace deltaproof {
namespace {

constexpr const StageProperty* all[] = {&stage_accuracy, &stage_schedules, &stage_checked, &stage_against_host,
                                        &stage_nan,      &stage_order,     &stage_weights, &stage_order_of_entries};

Verdict blank(const StageTrial& trial, std::string_view property) {
  Verdict verdict;
  verdict.case_name = trial.problem.name;
  verdict.kernel = trial.problem.stage();
  verdict.property = property;
  verdict.ran = trial.device.provenance();
  verdict.ran.launch = hola_entry(trial.device, trial.problem.stage()).launch;
  return verdict;
}

std::string why_not(const StageProperty& property, const StageTrial& trial) {
  if (!property.is_of(trial.problem.stage())) {
    return std::string(property.name) + " is no property of " + std::string(trial.problem.stage());
  }
  return property.why_not(trial);
}

// What `work` throws becomes an error.
Verdict guarded(Verdict verdict, const std::function<Verdict(Verdict)>& work) {
  try {
    return work(verdict);
  } catch (const std::exception& error) {
    return ended_by(std::move(verdict), error);
  }
}

}  // namespace

std::span<const StageProperty* const> stage_properties() { return all; }

const StageProperty* find_stage_property(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(all), std::end(all), [&](const auto* each) { return each->name == name; });
  return found == std::end(all) ? nullptr : *found;
}

Verdict check_stage_property(const StageProperty& property, const StageTrial& trial) {
  Verdict verdict = blank(trial, property.name);
  if (std::string why = why_not(property, trial); !why.empty()) {
    return ended(std::move(verdict), Status::skipped, std::move(why));
  }
  return guarded(std::move(verdict), [&](Verdict each) {
    return property.check(trial, trial.run(trial.device, trial.problem), std::move(each));
  });
}

std::vector<Verdict> check_stage(const StageTrial& trial) {
  Outputs outputs;
  Verdict ran = guarded(blank(trial, stage_accuracy.name), [&](Verdict verdict) {
    outputs = trial.run(trial.device, trial.problem);
    return ended(std::move(verdict), Status::passed, {});
  });
  if (ran.status == Status::error) return {ran};
  std::vector<Verdict> verdicts;
  for (const StageProperty* property : all) {
    if (!why_not(*property, trial).empty()) continue;
    verdicts.push_back(guarded(blank(trial, property->name), [&](Verdict verdict) {
      return property->check(trial, outputs, std::move(verdict));
    }));
  }
  return verdicts;
}

}  // namespace deltaproof
