#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "properties/runs/solve_properties.hpp"
#include "properties/runs/solve_verdict.hpp"

namespace deltaproof {
namespace {

Verdict same_bits(const SolveProblem& problem, const std::vector<float>& X, const std::vector<NamedDevice>& reruns,
                  Verdict verdict) {
  verdict.bound = "bits";
  verdict.outputs_hash = solve_hash(problem, X);
  std::string names;
  for (const NamedDevice& rerun : reruns) {
    names += (names.empty() ? "" : ", ") + rerun.what;
    const std::vector<float> other = solve(*rerun.device, problem);
    for (std::size_t i = 0; i < X.size(); ++i) {
      ++verdict.compared;
      const bool both_nan = std::isnan(X[i]) && std::isnan(other[i]);  // as compare_bits
      if (both_nan || std::memcmp(&X[i], &other[i], sizeof(float)) == 0) continue;
      if (verdict.violations++ > 0) continue;
      verdict.has_first_bad = true;
      verdict.first_bad = solve_place(problem, static_cast<std::int64_t>(i));
      verdict.reason =
          fmt::format("under {} values have other bits, the first at {}", rerun.what, to_string(verdict.first_bad));
    }
  }
  verdict.notes.push_back(fmt::format("{} of {} values differ from {}", verdict.violations, verdict.compared, names));
  verdict.status = verdict.violations == 0 ? Status::passed : Status::failed;
  return verdict;
}

std::string no_schedules(const SolveTrial& trial) {
  return trial.checks.schedules.empty() ? "no further run was asked for" : "";
}
std::string not_checked(const SolveTrial& trial) {
  return trial.checks.checked == nullptr ? "no checked run was asked for" : "";
}
std::string no_other(const SolveTrial& trial) { return trial.checks.against ? "" : "no other device was asked for"; }

Verdict check_schedules(const SolveTrial& trial, const std::vector<float>& X, Verdict verdict) {
  return same_bits(trial.problem, X, trial.checks.schedules, std::move(verdict));
}
Verdict check_checked(const SolveTrial& trial, const std::vector<float>& X, Verdict verdict) {
  verdict.ran = solve_verdict(trial.problem, *trial.checks.checked, {}).ran;
  return same_bits(trial.problem, X, {{"the plain build", trial.checks.checked}}, std::move(verdict));
}
Verdict check_other(const SolveTrial& trial, const std::vector<float>& X, Verdict verdict) {
  return same_bits(trial.problem, X, {*trial.checks.against}, std::move(verdict));
}

}  // namespace

const SolveProperty solve_schedules{"schedules", "every schedule and build gives the same bits", &no_schedules,
                                    &check_schedules};
const SolveProperty solve_checked{"checked", "an instrumented run reports nothing and gives the same bits",
                                  &not_checked, &check_checked};
const SolveProperty solve_against_host{"against_host", "the device's bits are the host executor's", &no_other,
                                       &check_other};

}  // namespace deltaproof
