#include "cli/rule_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/reproduction.hpp"
#include "cli/wanted.hpp"
#include "properties/runs/kernel_case.hpp"
#include "properties/runs/run_properties.hpp"
#include "properties/runs/run_with_states.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

// Beside what every problem is put to: so many laws, in turn.
constexpr std::size_t laws_a_case = 2;
// Problems tried to make a failure smaller.
constexpr std::int64_t shrink_budget = 200;

}  // namespace

RuleRun::RuleRun(const BuiltInInfo& info, const CheckArguments& arguments, const KernelDevices& devices,
                 Explanations& explanations)
    : info_(info), arguments_(arguments), devices_(devices), explanations_(explanations) {
  kernel_ = std::make_unique<BuiltInKernel>(info, devices.main);
  add_run_checks();
  for (const Property* law : all_laws()) {
    if (!arguments.kernel.properties.empty() && wanted(arguments, law->name)) checks_.laws.push_back(law);
  }
  const bool by_default = arguments.kernel.properties.empty() && arguments.kernel.schedule == "all";
  checks_.laws_in_turn = by_default ? laws_a_case : 0;
  checks_.shrink_budget = shrink_budget;
}

std::int64_t RuleRun::usual() const { return usual_cases(info_); }

std::vector<Verdict> RuleRun::on_generated(std::uint64_t index) const {
  const Regime& regime = regime_of(index);
  return on_spec(kernel_case_spec(info_, regime, arguments_.seed, index),
                 fmt::format(" --regime {} --only {}", shell_quote(std::string(regime.name)), index));
}

std::vector<Verdict> RuleRun::on_problem(const ProblemSpec& spec, const std::string& text) const {
  return on_spec(spec, " --problem " + shell_quote(text));
}

std::vector<Verdict> RuleRun::on_case(const CaseFile& file) const {
  const Problem problem = file.problem.with_arithmetic(std::string(info_.arithmetic));
  std::vector<Verdict> verdicts;
  if (checks_.run) verdicts = check_run(problem, *kernel_, checks_.checks);
  for (const Property* law : checks_.laws) {
    verdicts.push_back(check_property(*law, {problem, *kernel_, arguments_.seed}));
  }
  const std::string path = file.path.string();
  const std::string quoted = quoted_path(path);
  for (Verdict& verdict : verdicts) {
    verdict.case_name = file.path.stem().string();
    verdict.case_path = path;
    verdict.reproduce = with_property(arguments_, reproduction(arguments_, info_.name, quoted), verdict);
  }
  explain(problem, verdicts);
  return only_wanted(std::move(verdicts));
}

// The kernel is run once more: verdicts do not keep the outputs that they are about.
void RuleRun::explain(const Problem& problem, std::vector<Verdict>& verdicts) const {
  for (Verdict& verdict : verdicts) {
    if (!wanted(arguments_, verdict.property) || !explanations_.concerns(verdict)) continue;
    explanations_.explain(problem, [&] { return run_with_states(problem, *kernel_).outputs; }, kernel_->declared(),
                          verdict.reproduce + " --report DIR", verdict);
  }
}

// A run property that is not asked for costs nothing, but accuracy, whose outputs the others compare with.
void RuleRun::add_run_checks() {
  RunChecks& checks = checks_.checks;
  if (wanted(arguments_, "schedules")) {
    for (const NamedDevice& each : devices_.schedules) checks.schedules.push_back(rerun(each));
  }
  if (devices_.checked && wanted(arguments_, "checked")) {
    checks.checked = std::make_shared<BuiltInKernel>(info_, devices_.checked);
  }
  if (devices_.against && wanted(arguments_, "against_host")) checks.against = rerun(*devices_.against);
  checks.accuracy.tensor_core = arguments_.tensor_core;
  checks.accuracy.sample = arguments_.sample;
  checks.accuracy.seed = arguments_.seed;
  checks.accuracy.profile = arguments_.report.has_value();
  const auto table = run_properties();
  checks_.run = std::any_of(table.begin(), table.end(),
                            [&](const RunProperty& each) { return wanted(arguments_, each.name); });
}

const Regime& RuleRun::regime_of(std::uint64_t index) const {
  if (arguments_.kernel.regime != "all") return *find_regime(arguments_.kernel.regime);
  return regimes()[index % regimes().size()];
}

std::vector<Verdict> RuleRun::on_spec(const ProblemSpec& spec, const std::string& where) const {
  std::vector<Verdict> verdicts;
  for (SpecVerdict& each : check_spec(spec, *kernel_, checks_)) {
    const auto again = [&](const std::string& what) {
      return with_property(arguments_, reproduction(arguments_, info_.name, "") + what, each.verdict);
    };
    each.verdict.reproduce = again(where);
    if (each.shrunken) {
      const std::string text = to_text(*each.shrunken);
      each.verdict.notes.push_back(fmt::format("{}: {}", each.smallest ? "shrinks to" : "shrinks at least to",
                                               again(" --problem " + shell_quote(text))));
    }
    verdicts.push_back(std::move(each.verdict));
  }
  const bool any = std::any_of(verdicts.begin(), verdicts.end(), [&](const Verdict& v) { return explanations_.concerns(v); });
  if (any) explain(problem_of(spec), verdicts);
  return only_wanted(std::move(verdicts));
}

// `accuracy` stands for run properties that were not come to: a kernel that faults, a problem that it refuses.
std::vector<Verdict> RuleRun::only_wanted(std::vector<Verdict> verdicts) const {
  std::erase_if(verdicts, [&](const Verdict& verdict) {
    return !wanted(arguments_, verdict.property) && verdict.status != Status::error &&
           verdict.status != Status::skipped;
  });
  return verdicts;
}

Rerun RuleRun::rerun(const NamedDevice& device) const {
  return {device.what, std::make_shared<BuiltInKernel>(info_, device.device)};
}

}  // namespace deltaproof::cli
