#include "cli/check_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/progress.hpp"
#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/runs/check_run.hpp"
#include "properties/runs/kernel_case.hpp"
#include "properties/runs/solve_check.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

/// The devices that one command needs.
struct Devices {
  std::shared_ptr<const Device> main;
  std::vector<NamedDevice> schedules;
  std::shared_ptr<const Device> checked;
  std::optional<NamedDevice> against;
};

HostDeviceOptions host_options(const CheckArguments& arguments) {
  HostDeviceOptions options;
  options.seed = arguments.seed;
  options.timeout = arguments.kernel.timeout;
  if (arguments.tensor_core != "any") options.tensor_core = find_tensor_core(arguments.tensor_core);
  if (const ScheduleInfo* named = find_schedule(arguments.kernel.schedule)) options.schedule = named->schedule;
  return options;
}

// Everything that must give the bits of the main run: the other schedules and, where it is built, clang's code.
void add_reruns(HostDeviceOptions options, Devices& devices) {
  for (const ScheduleInfo& schedule : schedule_table()) {
    HostDeviceOptions other = options;
    other.schedule = schedule.schedule;
    other.seed = options.seed + 1;
    devices.schedules.push_back({fmt::format("schedule {}", schedule.name), open_host_device(other)});
  }
  if (has_host_build(HostBuild::clang)) {
    HostDeviceOptions other = options;
    other.build = HostBuild::clang;
    devices.schedules.push_back({"the build with clang", open_host_device(other)});
  }
  options.build = HostBuild::checked;
  devices.checked = open_host_device(options);
}

Devices open_devices(const CheckArguments& arguments) {
  const HostDeviceOptions options = host_options(arguments);
  Devices devices;
  if (arguments.kernel.device == "cuda") {
    devices.main = open_cuda_device();
    if (!arguments.kernel.against_host) return devices;
    HostDeviceOptions host = options;
    if (host.tensor_core == nullptr) host.tensor_core = &devices.main->tensor_core();
    devices.against =
        NamedDevice{fmt::format("the host executor ({})", host.tensor_core->name), open_host_device(host)};
    return devices;
  }
  devices.main = open_host_device(options);
  if (arguments.kernel.schedule == "all") add_reruns(options, devices);
  return devices;
}

// A library of other sources vouches for nothing.
void require_same_sources(const Devices& devices) {
  std::vector<NamedDevice> all = devices.schedules;
  if (devices.checked) all.push_back({"the checked build", devices.checked});
  if (devices.against) all.push_back(*devices.against);
  for (const NamedDevice& each : all) {
    const std::string ours = devices.main->library().source_hash, theirs = each.device->library().source_hash;
    if (ours == theirs) continue;
    throw KernelError(fmt::format("{} was built from other kernel sources ({} instead of {}); build everything anew",
                                  each.what, theirs.substr(0, 12), ours.substr(0, 12)));
  }
}

// `all` on case files means those that compute a rule.
std::vector<const BuiltInInfo*> named_kernels(const std::vector<std::string>& names, bool on_cases) {
  std::vector<const BuiltInInfo*> kernels;
  for (const BuiltInInfo& info : built_in_kernels()) {
    const bool named = std::any_of(names.begin(), names.end(),
                                   [&](const std::string& name) {
                                     const bool meant = name == "all" && !(on_cases && info.rules.empty());
                                     return meant || name == info.name;
                                   });
    if (named) kernels.push_back(&info);
  }
  return kernels;
}

// How to have a verdict again.
std::string reproduction(const CheckArguments& arguments, std::string_view kernel, const std::string& what) {
  const KernelArguments& given = arguments.kernel;
  const CheckArguments defaults;
  std::string line = fmt::format("deltaproof check {}--kernel {}", what.empty() ? "" : what + " ", kernel);
  if (given.device != defaults.kernel.device) line += " --device " + given.device;
  if (given.against_host) line += " --against-host";
  if (given.schedule != defaults.kernel.schedule) line += " --schedule " + given.schedule;
  if (arguments.tensor_core != defaults.tensor_core) line += " --tensor-core " + shell_quote(arguments.tensor_core);
  if (arguments.sample != defaults.sample) line += fmt::format(" --sample {}", arguments.sample);
  if (arguments.seed != defaults.seed) line += fmt::format(" --seed {}", arguments.seed);
  if (given.timeout != defaults.kernel.timeout) line += fmt::format(" --timeout {}", given.timeout);
  if (arguments.strict) line += " --strict";
  return line;
}

std::string generated(const CheckArguments& arguments, const BuiltInInfo& kernel, std::uint64_t index) {
  std::string line = reproduction(arguments, kernel.name, "");
  if (!kernel.rules.empty()) line += " --regime " + shell_quote(arguments.kernel.regime);
  return line + fmt::format(" --only {}", index);
}

// One kernel and what it is put to.
class KernelRun {
 public:
  KernelRun(const BuiltInInfo& info, const CheckArguments& arguments, const Devices& devices)
      : info_(info), arguments_(arguments), devices_(devices) {
    if (info.rules.empty()) {
      solve_checks_ = {devices.schedules, devices.checked, devices.against};
      return;
    }
    kernel_ = std::make_unique<BuiltInKernel>(info, devices.main);
    for (const NamedDevice& each : devices.schedules) checks_.schedules.push_back(rerun(each));
    if (devices.checked) checks_.checked = std::make_shared<BuiltInKernel>(info, devices.checked);
    if (devices.against) checks_.against = rerun(*devices.against);
    checks_.accuracy.tensor_core = arguments.tensor_core;
    checks_.accuracy.sample = arguments.sample;
    checks_.accuracy.seed = arguments.seed;
  }

  std::int64_t usual() const { return info_.rules.empty() ? usual_solve_cases : usual_cases(info_); }

  std::vector<Verdict> on_generated(std::uint64_t index) const {
    std::vector<Verdict> verdicts;
    if (info_.rules.empty()) {
      verdicts = check_solve(solve_case(arguments_.seed, index), *devices_.main, solve_checks_);
    } else {
      const Regime& regime = *find_regime(arguments_.kernel.regime);
      verdicts = check_run(kernel_case(info_, regime, arguments_.seed, index), *kernel_, checks_);
    }
    for (Verdict& verdict : verdicts) verdict.reproduce = generated(arguments_, info_, index);
    return verdicts;
  }

  std::vector<Verdict> on_case(const CaseFile& file) const {
    const Problem problem = file.problem.with_arithmetic(std::string(info_.arithmetic));
    std::vector<Verdict> verdicts = check_run(problem, *kernel_, checks_);
    for (Verdict& verdict : verdicts) {
      verdict.case_name = file.path.stem().string();
      verdict.case_path = file.path.string();
      const std::string path = file.path.string();
      verdict.reproduce =
          reproduction(arguments_, info_.name, shell_quote(path.starts_with('-') ? "./" + path : path));
    }
    return verdicts;
  }

 private:
  Rerun rerun(const NamedDevice& device) const {
    return {device.what, std::make_shared<BuiltInKernel>(info_, device.device)};
  }

  const BuiltInInfo& info_;
  const CheckArguments& arguments_;
  const Devices& devices_;
  std::unique_ptr<BuiltInKernel> kernel_;
  RunChecks checks_;
  SolveChecks solve_checks_;
};

Verdict not_run(const BuiltInInfo& info, const CheckArguments& arguments, Status status, std::string reason) {
  Verdict verdict;
  verdict.case_name = arguments.kernel.regime;
  verdict.kernel = info.name;
  verdict.arithmetic = info.arithmetic;
  verdict.property = "accuracy";
  verdict.status = status;
  verdict.reason = std::move(reason);
  verdict.reproduce = reproduction(arguments, info.name, "");
  return verdict;
}

void append(std::vector<Verdict> more, std::vector<Verdict>& verdicts) {
  std::move(more.begin(), more.end(), std::back_inserter(verdicts));
}

void run_one(const BuiltInInfo& info, const CheckArguments& arguments, const std::vector<CaseFile>& cases,
             const Devices& devices, std::vector<Verdict>& verdicts) {
  const KernelRun run(info, arguments, devices);
  if (!cases.empty()) {
    if (info.rules.empty()) {
      verdicts.push_back(not_run(info, arguments, Status::skipped, "triangular_solve computes no rule of a case"));
      return;
    }
    Progress progress(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      progress.start(i, cases[i].path.stem().string());
      append(run.on_case(cases[i]), verdicts);
    }
    progress.clear();
    return;
  }
  const std::int64_t first = arguments.kernel.only.value_or(0);
  const std::int64_t count = arguments.kernel.only ? 1 : arguments.kernel.count.value_or(run.usual());
  Progress progress(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    progress.start(static_cast<std::size_t>(i), std::string(info.name));
    append(run.on_generated(static_cast<std::uint64_t>(first + i)), verdicts);
  }
  progress.clear();
}

}  // namespace

std::vector<Verdict> check_kernels(const CheckArguments& arguments, const std::vector<CaseFile>& cases) {
  std::vector<Verdict> verdicts;
  const std::vector<const BuiltInInfo*> kernels = named_kernels(arguments.kernel.names, !cases.empty());
  Devices devices;
  try {
    devices = open_devices(arguments);
    require_same_sources(devices);
  } catch (const NoDevice& error) {
    for (const BuiltInInfo* info : kernels)
      verdicts.push_back(not_run(*info, arguments, Status::skipped, error.what()));
    return verdicts;
  } catch (const KernelError& error) {
    for (const BuiltInInfo* info : kernels)
      verdicts.push_back(not_run(*info, arguments, Status::error, error.what()));
    return verdicts;
  }
  for (const BuiltInInfo* info : kernels) run_one(*info, arguments, cases, devices, verdicts);
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
