#include "cli/check_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/kernel_devices.hpp"
#include "cli/named_kernels.hpp"
#include "cli/part_run.hpp"
#include "cli/progress.hpp"
#include "cli/reproduction.hpp"
#include "cli/rule_run.hpp"
#include "properties/runs/run_properties.hpp"

namespace deltaproof::cli {
namespace {

// Whether a property is one of the kernel's.
bool has_property(const BuiltInInfo& kernel, const std::string& name) {
  if (name == "all") return true;
  return kernel.rules.empty() ? part_has_property(kernel, name) : is_run_property(name) || find_law(name) != nullptr;
}

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

void run_on_cases(const RuleRun& run, const std::vector<CaseFile>& cases, std::vector<Verdict>& verdicts) {
  Progress progress(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    progress.start(i, cases[i].path.stem().string());
    append(run.on_case(cases[i]), verdicts);
  }
  progress.clear();
}

template <class Run>
void run_on_generated(const Run& run, const BuiltInInfo& info, const KernelArguments& given,
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
  // Properties of parts say so themselves.
  if (info.rules.empty()) {
    return run_on_generated(PartRun(info, arguments, devices), info, arguments.kernel, verdicts);
  }
  if (skip_without_devices(info, arguments, devices, verdicts)) return;
  const RuleRun run(info, arguments, devices);
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
  const auto kernels = named_kernels(arguments, cases);
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
