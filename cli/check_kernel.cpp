#include "cli/check_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/kernel_devices.hpp"
#include "cli/progress.hpp"
#include "cli/reproduction.hpp"
#include "kernels/built_in/built_in_kernel.hpp"
#include "properties/runs/check_spec.hpp"
#include "properties/runs/kernel_case.hpp"
#include "properties/runs/run_properties.hpp"
#include "properties/runs/solve_check.hpp"
#include "properties/runs/solve_properties.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

// Beside what every problem is put to: so many laws, in turn.
constexpr std::size_t laws_a_case = 2;
// Problems tried to make a failure smaller.
constexpr std::int64_t shrink_budget = 200;

// Kernels around a cache have no checks here yet: `all` leaves them out.
bool is_checked(const BuiltInInfo& kernel) { return kernel.part != "cache" && !computes_hola(kernel); }

// `all` on case files or on one problem means those that compute a rule.
std::vector<const BuiltInInfo*> named_kernels(const std::vector<std::string>& names, bool need_rules) {
  std::vector<const BuiltInInfo*> kernels;
  for (const BuiltInInfo& info : built_in_kernels()) {
    const bool named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const bool meant = name == "all" && is_checked(info) && !(need_rules && info.rules.empty());
      return meant || name == info.name;
    });
    if (named) kernels.push_back(&info);
  }
  return kernels;
}

bool wanted(const CheckArguments& arguments, std::string_view property) {
  const std::vector<std::string>& names = arguments.kernel.properties;
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return name == "all" || name == property;
         });
}

// Whether a property is one of the kernel's.
bool has_property(const BuiltInInfo& kernel, const std::string& name) {
  if (name == "all") return true;
  return kernel.rules.empty() ? find_solve_property(name) != nullptr
                              : is_run_property(name) || find_law(name) != nullptr;
}

// One kernel and what it is put to.
class KernelRun {
 public:
  KernelRun(const BuiltInInfo& info, const CheckArguments& arguments, const KernelDevices& devices)
      : info_(info), arguments_(arguments), devices_(devices) {
    if (info.rules.empty()) {
      solve_checks_ = {devices.schedules, devices.checked, devices.against};
      return;
    }
    kernel_ = std::make_unique<BuiltInKernel>(info, devices.main);
    add_run_checks();
    for (const Property* law : all_laws()) {
      if (!arguments.kernel.properties.empty() && wanted(arguments, law->name)) checks_.laws.push_back(law);
    }
    const bool by_default = arguments.kernel.properties.empty() && arguments.kernel.schedule == "all";
    checks_.laws_in_turn = by_default ? laws_a_case : 0;
    checks_.shrink_budget = shrink_budget;
  }

  std::int64_t usual() const { return info_.rules.empty() ? usual_solve_cases : usual_cases(info_); }

  std::vector<Verdict> on_generated(std::uint64_t index) const {
    if (info_.rules.empty()) return on_solve(index);
    const Regime& regime = regime_of(index);
    return on_spec(kernel_case_spec(info_, regime, arguments_.seed, index),
                   fmt::format(" --regime {} --only {}", shell_quote(std::string(regime.name)), index));
  }

  std::vector<Verdict> on_problem(ProblemSpec spec, const std::string& text) const {
    return on_spec(std::move(spec), " --problem " + shell_quote(text));
  }

  std::vector<Verdict> on_case(const CaseFile& file) const {
    const Problem problem = file.problem.with_arithmetic(std::string(info_.arithmetic));
    std::vector<Verdict> verdicts;
    if (checks_.run) verdicts = check_run(problem, *kernel_, checks_.checks);
    for (const Property* law : checks_.laws) {
      verdicts.push_back(check_property(*law, {problem, *kernel_, arguments_.seed}));
    }
    const std::string path = file.path.string();
    const std::string quoted = shell_quote(path.starts_with('-') ? "./" + path : path);
    for (Verdict& verdict : verdicts) {
      verdict.case_name = file.path.stem().string();
      verdict.case_path = path;
      verdict.reproduce = with_property(arguments_, reproduction(arguments_, info_.name, quoted), verdict);
    }
    return only_wanted(std::move(verdicts));
  }

 private:
  // A run property that is not asked for costs nothing, but accuracy, whose outputs the others compare with.
  void add_run_checks() {
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
    const auto table = run_properties();
    checks_.run = std::any_of(table.begin(), table.end(),
                              [&](const RunProperty& each) { return wanted(arguments_, each.name); });
  }

  const Regime& regime_of(std::uint64_t index) const {
    if (arguments_.kernel.regime != "all") return *find_regime(arguments_.kernel.regime);
    return regimes()[index % regimes().size()];
  }

  std::vector<Verdict> on_spec(const ProblemSpec& spec, const std::string& where) const {
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
    return only_wanted(std::move(verdicts));
  }

  // What says nothing of a problem is left out, unless it was named.
  std::vector<Verdict> on_solve(std::uint64_t index) const {
    const SolveProblem problem = solve_case(arguments_.seed, index);
    const SolveTrial trial{problem, *devices_.main, solve_checks_};
    std::vector<Verdict> verdicts;
    for (const SolveProperty* property : solve_properties()) {
      const bool named = !arguments_.kernel.properties.empty() && wanted(arguments_, property->name);
      if (!named && (!wanted(arguments_, property->name) || !property->why_not(trial).empty())) continue;
      verdicts.push_back(check_solve_property(*property, trial));
    }
    for (Verdict& verdict : verdicts) {
      verdict.reproduce = with_property(
          arguments_, reproduction(arguments_, info_.name, "") + fmt::format(" --only {}", index), verdict);
    }
    return verdicts;
  }

  // `accuracy` stands for run properties that were not come to: a kernel that faults, a problem that it refuses.
  std::vector<Verdict> only_wanted(std::vector<Verdict> verdicts) const {
    std::erase_if(verdicts, [&](const Verdict& verdict) {
      return !wanted(arguments_, verdict.property) && verdict.status != Status::error &&
             verdict.status != Status::skipped;
    });
    return verdicts;
  }

  Rerun rerun(const NamedDevice& device) const {
    return {device.what, std::make_shared<BuiltInKernel>(info_, device.device)};
  }

  const BuiltInInfo& info_;
  const CheckArguments& arguments_;
  const KernelDevices& devices_;
  std::unique_ptr<BuiltInKernel> kernel_;
  SpecChecks checks_;
  SolveChecks solve_checks_;
};

Verdict not_run(const BuiltInInfo& info, const CheckArguments& arguments, const std::vector<std::string>& properties,
                Status status, std::string reason) {
  Verdict verdict;
  verdict.case_name = arguments.kernel.regime;
  verdict.kernel = info.name;
  verdict.arithmetic = info.arithmetic;
  verdict.property = properties.empty() ? "accuracy" : fmt::format("{}", fmt::join(properties, ", "));
  verdict.status = status;
  verdict.reason = std::move(reason);
  verdict.reproduce = reproduction(arguments, info.name, "");
  for (const std::string& property : properties) verdict.reproduce += " --property " + property;
  return verdict;
}

Verdict not_run(const BuiltInInfo& info, const CheckArguments& arguments, Status status, std::string reason) {
  return not_run(info, arguments, arguments.kernel.properties, status, std::move(reason));
}

void append(std::vector<Verdict> more, std::vector<Verdict>& verdicts) {
  std::move(more.begin(), more.end(), std::back_inserter(verdicts));
}

void run_on_cases(const KernelRun& run, const std::vector<CaseFile>& cases, std::vector<Verdict>& verdicts) {
  Progress progress(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    progress.start(i, cases[i].path.stem().string());
    append(run.on_case(cases[i]), verdicts);
  }
  progress.clear();
}

void run_on_generated(const KernelRun& run, const BuiltInInfo& info, const KernelArguments& given,
                      std::vector<Verdict>& verdicts) {
  const std::int64_t first = given.only.value_or(0);
  const std::int64_t count = given.only ? 1 : given.count.value_or(run.usual());
  Progress progress(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    progress.start(static_cast<std::size_t>(i), std::string(info.name));
    append(run.on_generated(static_cast<std::uint64_t>(first + i)), verdicts);
  }
  progress.clear();
}

// Named properties whose devices were not asked for are skipped, once. Returns whether no other was named.
bool skip_without_devices(const BuiltInInfo& info, const CheckArguments& arguments, const KernelDevices& devices,
                          std::vector<Verdict>& verdicts) {
  bool others = arguments.kernel.properties.empty();
  for (const std::string& property : arguments.kernel.properties) {
    std::string why = without_devices(property, devices);
    others |= why.empty();
    if (!why.empty()) verdicts.push_back(not_run(info, arguments, {property}, Status::skipped, std::move(why)));
  }
  return !others;
}

// `alone`: the only kernel that was named, which says so when it has none of the properties.
void run_one(const BuiltInInfo& info, const CheckArguments& arguments, const std::vector<CaseFile>& cases,
             const KernelDevices& devices, bool alone, std::vector<Verdict>& verdicts) {
  if (!is_checked(info)) {
    const std::string why = fmt::format("{} is not checked by this command yet", info.name);
    verdicts.push_back(not_run(info, arguments, Status::skipped, why));
    return;
  }
  const bool given = !cases.empty() || arguments.kernel.problem;
  if (given && info.rules.empty()) {
    const std::string why = fmt::format("{} computes no rule of a case", info.name);
    verdicts.push_back(not_run(info, arguments, Status::skipped, why));
    return;
  }
  const std::vector<std::string>& properties = arguments.kernel.properties;
  const bool none = !properties.empty() && std::none_of(properties.begin(), properties.end(), [&](const auto& name) {
    return has_property(info, name);
  });
  if (none && alone) {
    const std::string why = fmt::format("{} is no property of {}", fmt::join(properties, ", "), info.name);
    verdicts.push_back(not_run(info, arguments, Status::skipped, why));
  }
  if (none) return;
  // Properties of the solve say so themselves.
  if (!info.rules.empty() && skip_without_devices(info, arguments, devices, verdicts)) return;
  const KernelRun run(info, arguments, devices);
  if (!cases.empty()) return run_on_cases(run, cases, verdicts);
  if (!arguments.kernel.problem) return run_on_generated(run, info, arguments.kernel, verdicts);
  ProblemSpec spec = parse_spec(*arguments.kernel.problem);
  spec.options["kernel"] = info.name;
  spec.options["arithmetic"] = info.arithmetic;
  append(run.on_problem(spec, to_text(spec)), verdicts);
}

}  // namespace

std::vector<Verdict> check_kernels(const CheckArguments& arguments, const std::vector<CaseFile>& cases) {
  std::vector<Verdict> verdicts;
  const auto kernels = named_kernels(arguments.kernel.names, !cases.empty() || arguments.kernel.problem);
  KernelDevices devices;
  try {
    devices = open_devices(arguments);
  } catch (const NoDevice& error) {
    for (const BuiltInInfo* info : kernels)
      verdicts.push_back(not_run(*info, arguments, Status::skipped, error.what()));
    return verdicts;
  } catch (const KernelError& error) {
    for (const BuiltInInfo* info : kernels)
      verdicts.push_back(not_run(*info, arguments, Status::error, error.what()));
    return verdicts;
  }
  for (const BuiltInInfo* info : kernels) {
    run_one(*info, arguments, cases, devices, kernels.size() == 1, verdicts);
  }
  return verdicts;
}

std::string against_host_line(const std::vector<Verdict>& verdicts) {
  std::int64_t compared = 0, differing = 0;
  for (const Verdict& verdict : verdicts) {
    if (verdict.property != "against_host") continue;
    compared += verdict.compared;
    differing += verdict.violations;
  }
  if (compared == 0) return {};
  return fmt::format("against the host: {} values compared, {} differing\n", compared, differing);
}

}  // namespace deltaproof::cli
