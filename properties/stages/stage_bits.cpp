#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "properties/accuracy/outputs_hash.hpp"
#include "properties/runs/ended.hpp"
#include "properties/stages/stage_properties.hpp"

namespace deltaproof {
namespace {

// As compare_bits: two NaN are equal.
bool same(const Tensor& x, const Tensor& y, std::int64_t i) {
  const std::size_t size = dtype_size(x.dtype), at = static_cast<std::size_t>(i) * size;
  if (std::memcmp(x.bytes.data() + at, y.bytes.data() + at, size) == 0) return true;
  return is_floating(x.dtype) && std::isnan(x.value(i)) && std::isnan(y.value(i));
}

void compare(const StageProblem& problem, const Outputs& one, const Outputs& other, const std::string& what,
             Verdict& verdict) {
  for (const auto& [name, x] : one.tensors) {
    const Tensor& y = other.tensors.at(name);
    for (std::int64_t i = 0; i < x.size(); ++i) {
      ++verdict.compared;
      if (same(x, y, i) || verdict.violations++ > 0) continue;
      verdict.has_first_bad = true;
      verdict.first_bad = place_in_stage(problem, name, i);
      verdict.reason =
          fmt::format("under {} values have other bits, the first at {}", what, to_string(verdict.first_bad));
    }
  }
}

Verdict same_bits(const StageTrial& trial, const Outputs& outputs, const std::vector<NamedDevice>& reruns,
                  Verdict verdict) {
  verdict.bound = "bits";
  verdict.outputs_hash = outputs_hash(outputs);
  std::string names;
  for (const NamedDevice& rerun : reruns) {
    names += (names.empty() ? "" : ", ") + rerun.what;
    compare(trial.problem, outputs, run_stage(*rerun.device, trial.problem), rerun.what, verdict);
  }
  verdict.notes.push_back(fmt::format("{} of {} values differ from {}", verdict.violations, verdict.compared, names));
  verdict.status = verdict.violations == 0 ? Status::passed : Status::failed;
  if (verdict.compared == 0) return ended(std::move(verdict), Status::uninformative, "there was nothing to compare");
  return verdict;
}

bool gives_nothing(const StageTrial& trial) {
  const auto* select = std::get_if<SelectInput>(&trial.problem.input);
  return select != nullptr && select->w == 0;
}

std::string why_not(const StageTrial& trial, bool asked, const char* run) {
  if (!asked) return std::string("no ") + run + " was asked for";
  return gives_nothing(trial) ? "with w = 0 no set has a place" : "";
}

std::string no_schedules(const StageTrial& trial) {
  return why_not(trial, !trial.checks.schedules.empty(), "further run");
}
std::string not_checked(const StageTrial& trial) {
  return why_not(trial, trial.checks.checked != nullptr, "checked run");
}
std::string no_other(const StageTrial& trial) { return why_not(trial, trial.checks.against.has_value(), "other device"); }

Verdict check_schedules(const StageTrial& trial, const Outputs& outputs, Verdict verdict) {
  return same_bits(trial, outputs, trial.checks.schedules, std::move(verdict));
}

Verdict check_checked(const StageTrial& trial, const Outputs& outputs, Verdict verdict) {
  const std::string launch = verdict.ran.launch;
  verdict.ran = trial.checks.checked->provenance();
  verdict.ran.launch = launch;
  return same_bits(trial, outputs, {{"the checked build", trial.checks.checked}}, std::move(verdict));
}

Verdict check_other(const StageTrial& trial, const Outputs& outputs, Verdict verdict) {
  return same_bits(trial, outputs, {*trial.checks.against}, std::move(verdict));
}

}  // namespace

const StageProperty stage_schedules{"schedules", "every schedule and build gives the same bits", "", &no_schedules,
                                    &check_schedules};
const StageProperty stage_checked{"checked", "an instrumented run reports nothing and gives the same bits", "",
                                  &not_checked, &check_checked};
const StageProperty stage_against_host{"against_host", "the device's bits are the host executor's", "", &no_other,
                                       &check_other};

}  // namespace deltaproof
