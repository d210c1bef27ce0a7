#include "cli/check_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/explanations.hpp"
#include "cli/kept_profiles.hpp"
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

// The verdicts of a run, with what of their profiles its report keeps, and what explains them.
struct RunVerdicts {
  explicit RunVerdicts(const CheckArguments& arguments) : explanations(arguments) {}
  std::vector<Verdict> list;
  Explanations explanations;
  KeptProfiles profiles;

  void add(std::vector<Verdict> more) {
    std::move(more.begin(), more.end(), std::back_inserter(list));
    profiles.look_at(list);
  }
  void add(Verdict one) { list.push_back(std::move(one)); }
};

void run_on_cases(const RuleRun& run, const std::vector<CaseFile>& cases, RunVerdicts& verdicts) {
  Progress progress(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    progress.start(i, cases[i].path.stem().string());
    verdicts.add(run.on_case(cases[i]));
  }
  progress.clear();
}

template <class Run>
void run_on_generated(const Run& run, const BuiltInInfo& info, const KernelArguments& given,
                      RunVerdicts& verdicts) {
  const std::int64_t first = given.only.value_or(0);
  const std::int64_t count = given.only ? 1 : given.count.value_or(run.usual());
  Progress progress(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    progress.start(static_cast<std::size_t>(i), std::string(info.name));
    verdicts.add(run.on_generated(static_cast<std::uint64_t>(first + i)));
  }
  progress.clear();
}

// Named properties whose devices were not asked for are skipped, once. Returns whether no other was named.
bool skip_without_devices(const BuiltInInfo& info, const CheckArguments& arguments, const KernelDevices& devices,
                          RunVerdicts& verdicts) {
  bool others = arguments.kernel.properties.empty();
  for (const std::string& property : arguments.kernel.properties) {
    std::string why = without_devices(property, devices);
    others |= why.empty();
    if (!why.empty()) verdicts.add(not_run(info, arguments, {property}, Status::skipped, std::move(why)));
  }
  return !others;
}

// `alone`: the only kernel that was named, which says so when it has none of the properties.
void run_one(const BuiltInInfo& info, const CheckArguments& arguments, const std::vector<CaseFile>& cases,
             const KernelDevices& devices, bool alone, RunVerdicts& verdicts) {
  const bool given = !cases.empty() || arguments.kernel.problem;
  if (given && info.rules.empty()) {
    const std::string why = fmt::format("{} computes no rule of a case", info.name);
    verdicts.add(not_run(info, arguments, Status::skipped, why));
    return;
  }
  const std::vector<std::string>& properties = arguments.kernel.properties;
  const bool none = !properties.empty() && std::none_of(properties.begin(), properties.end(), [&](const auto& name) {
    return has_property(info, name);
  });
  if (none && alone) {
    const std::string why = fmt::format("{} is no property of {}", fmt::join(properties, ", "), info.name);
    verdicts.add(not_run(info, arguments, Status::skipped, why));
  }
  if (none) return;
  // Properties of parts say so themselves.
  if (info.rules.empty()) {
    return run_on_generated(PartRun(info, arguments, devices), info, arguments.kernel, verdicts);
  }
  if (skip_without_devices(info, arguments, devices, verdicts)) return;
  const RuleRun run(info, arguments, devices, verdicts.explanations);
  if (!cases.empty()) return run_on_cases(run, cases, verdicts);
  if (!arguments.kernel.problem) return run_on_generated(run, info, arguments.kernel, verdicts);
  ProblemSpec spec = parse_spec(*arguments.kernel.problem);
  spec.options["kernel"] = info.name;
  spec.options["arithmetic"] = info.arithmetic;
  verdicts.add(run.on_problem(spec, to_text(spec)));
}

}  // namespace

std::vector<Verdict> check_kernels(const CheckArguments& arguments, const std::vector<CaseFile>& cases) {
  RunVerdicts verdicts(arguments);
  const auto kernels = named_kernels(arguments, cases);
  KernelDevices devices;
  try {
    devices = open_devices(arguments);
  } catch (const NoDevice& error) {
    for (const BuiltInInfo* info : kernels) verdicts.add(not_run(*info, arguments, Status::skipped, error.what()));
    return verdicts.list;
  } catch (const KernelError& error) {
    for (const BuiltInInfo* info : kernels) verdicts.add(not_run(*info, arguments, Status::error, error.what()));
    return verdicts.list;
  }
  for (const BuiltInInfo* info : kernels) {
    run_one(*info, arguments, cases, devices, kernels.size() == 1, verdicts);
  }
  return std::move(verdicts.list);
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
