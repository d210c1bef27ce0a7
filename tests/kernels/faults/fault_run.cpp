#include "tests/kernels/faults/fault_run.hpp"

#include <filesystem>
#include <memory>
#include <utility>

#include "kernels/built_in/built_in_kernel.hpp"
#include "properties/runs/check_run.hpp"
#include "properties/runs/solve_check.hpp"
#include "tests/kernels/faults/fault_cache.hpp"
#include "tests/kernels/faults/fault_problems.hpp"

namespace deltaproof {
namespace {

struct Sign {
  std::string_view text, name;
};

// The checked run and the executor, by the words of their messages.
constexpr Sign faults_of_runs[] = {
    {": race: ", "race"},
    {": out of bounds: ", "bounds"},
    {"outside shared memory", "bounds"},
    {"beyond its dynamic shared memory", "bounds"},
    {": uninitialised: ", "uninitialised"},
    {"cp.async", "cp.async"},
    {": read only: ", "read only"},
    {": misaligned: ", "misaligned"},
    {"not aligned to 16 bytes", "misaligned"},
    {"mask", "mask"},
    {"deadlock", "barrier"},
    {"__syncthreads", "barrier"},
    {"did not end", "timeout"},
    {"step budget", "timeout"},
};

std::string first_sign(const std::string& reason) {
  for (const Sign& sign : faults_of_runs) {
    if (reason.find(sign.text) != std::string::npos) return std::string(sign.name);
  }
  return "error";
}

std::shared_ptr<const Device> device(const KernelFault& fault, Schedule schedule, std::uint64_t seed) {
  HostDeviceOptions options;
  options.build = HostBuild::checked;
  options.schedule = schedule, options.seed = seed;
  options.threads = 1;
  options.timeout = 4;
  options.folder = std::filesystem::path(DELTAPROOF_FAULTS) / fault.id;
  return open_host_device(options);
}

// True if one of the verdicts is no pass; says which.
bool judge(const std::vector<Verdict>& verdicts, Caught& caught) {
  for (const Verdict& verdict : verdicts) {
    if (verdict.status == Status::passed) continue;
    caught.by = caught_by(verdict);
    caught.what = verdict.case_name + ": " + status_name(verdict.status) + ": " + verdict.reason;
    return true;
  }
  return false;
}

}  // namespace

const std::vector<KernelFault>& kernel_faults() {
  static const std::vector<KernelFault> faults = {
#include "fault_table.inc"
  };
  return faults;
}

std::string caught_by(const Verdict& verdict) {
  switch (verdict.status) {
    case Status::passed: return {};
    case Status::error: return first_sign(verdict.reason);
    case Status::nonconforming: return "PIN";
    case Status::suspect: return verdict.reason.starts_with("bits: ") ? "bits" : "advisory";
    case Status::failed: break;
    default: return status_name(verdict.status);
  }
  if (verdict.property != "accuracy") return verdict.property;
  if (verdict.reason.find("of the pool of states") != std::string::npos) return "rows";
  if (verdict.reason.find("chunk by chunk") != std::string::npos) return "stepwise";
  if (verdict.reason.find("not finite") != std::string::npos) return "not finite";
  return "bound";
}

Caught run_with_fault(const KernelFault& fault) {
  const auto first = device(fault, Schedule::random, 1), other = device(fault, Schedule::reverse, 2);
  Caught caught{"nothing", {}};
  if (fault.id.starts_with("cache_")) {
    try {
      return run_cache_with_fault(*first, *other);
    } catch (const KernelError& error) {
      return {first_sign(error.what()), error.what()};
    }
  }
  if (fault.unit.starts_with("triangular_solve")) {
    SolveChecks checks;
    checks.schedules = {{"schedule reverse", other}};
    for (const SolveProblem& problem : fault_solves()) {
      if (judge(check_solve(problem, *first, checks), caught)) break;
    }
    return caught;
  }
  const BuiltInInfo& info = *find_built_in_kernel(fault.unit.starts_with("chunk") ? "chunk" : "recurrent");
  RunChecks checks;
  checks.schedules = {{"schedule reverse", std::make_shared<BuiltInKernel>(info, other)}};
  checks.accuracy.threads = 1;
  const BuiltInKernel kernel(info, first);
  const Dtype input = fault.unit.ends_with("_f32.cu") ? Dtype::f32 : Dtype::bf16;
  for (const Problem& problem : fault_problems(std::string(info.arithmetic), input)) {
    if (info.name == "chunk" && fault.chunk != 0 && fault.chunk != problem.options().chunk_size) continue;
    if (judge(check_run(problem, kernel, checks), caught)) break;
  }
  return caught;
}

}  // namespace deltaproof
