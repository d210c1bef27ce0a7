// `deltaproof hunt`: the search, what it keeps in its folder, and what it says.
#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <mutex>
#include <utility>

#include "cli/commands.hpp"
#include "cli/hunt_report.hpp"
#include "cli/interruption.hpp"
#include "cli/kernel_devices.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "kernels/wrapped_kernel.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/diagnose/hunt/hunt.hpp"
#include "properties/diagnose/hunt/hunt_state_file.hpp"
#include "properties/diagnose/hunt/worst_cases.hpp"
#include "reports/write.hpp"

namespace deltaproof::cli {
namespace {

constexpr const char* state_file = "hunt.json";
constexpr int nothing_judged = 3;

// A GPU runs one candidate at a time; drawing and judging are on all cores.
class OneAtATime : public WrappedKernel {
 public:
  explicit OneAtATime(std::unique_ptr<Kernel> kernel) : WrappedKernel(*kernel), kernel_(std::move(kernel)) {}
  Outputs run(const Problem& problem) const override {
    const std::lock_guard lock(mutex_);
    return kernel_->run(problem);
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  mutable std::mutex mutex_;
};

std::unique_ptr<Kernel> open_kernel(const HuntArguments& arguments) {
  if (!arguments.defect.empty()) {
    return std::make_unique<DefectKernel>(find_defect(arguments.defect), arguments.kernel);
  }
  const BuiltInInfo& info = *find_built_in_kernel(arguments.kernel);
  if (arguments.device == "cuda") {
    return std::make_unique<OneAtATime>(std::make_unique<BuiltInKernel>(info, open_cuda_device()));
  }
  HostDeviceOptions options;
  options.threads = 1;  // candidates are what runs side by side
  options.timeout = arguments.timeout;
  return std::make_unique<BuiltInKernel>(info, open_host_device(options));
}

HuntIdentity identity_of(const HuntArguments& arguments, const Kernel& kernel) {
  HuntIdentity identity;
  identity.kernel = kernel.name();
  identity.sources = kernel.provenance().source_hash;
  identity.device = arguments.defect.empty() ? arguments.device : "emulation";
  identity.seed = arguments.seed;
  identity.rule = arguments.rule, identity.dtype = arguments.dtype, identity.objective = arguments.objective;
  return identity;
}

// A fresh state, or the one in the folder.
HuntState first_state(const HuntArguments& arguments, const HuntIdentity& identity) {
  HuntState state;
  state.identity = identity;
  if (!arguments.out) return state;
  const std::filesystem::path folder = *arguments.out;
  if (std::optional<HuntState> there = read_hunt_state(folder / state_file, identity)) return std::move(*there);
  prepare_report_file(folder, state_file);
  return state;
}

HuntState search(HuntState state, const HuntSpace& space, const Kernel& kernel, const HuntArguments& arguments,
                 const Interruption& interruption) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(arguments.time);
  const auto begin = std::chrono::steady_clock::now();
  Progress progress(1);
  progress.start(0, "hunt in " + kernel.name());
  HuntRun run;
  run.evaluations = arguments.evaluations.value_or(std::numeric_limits<std::int64_t>::max());
  run.stop = [&] { return interruption.came() || std::chrono::steady_clock::now() >= end; };
  run.checkpoint = [&](const HuntState& now) {
    if (arguments.out) write_report_file(*arguments.out, state_file, json_of(now));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    progress.update(std::max(seconds / arguments.time, share_of(now, run.evaluations)));
  };
  return hunt(std::move(state), space, kernel, run);
}

int status_of(const HuntState& state) {
  if (!state.findings.empty()) return 1;
  for (const Objective objective : objectives) {
    if (!state.archives[static_cast<std::size_t>(objective)].empty()) return 0;
  }
  return nothing_judged;
}

}  // namespace

int run_hunt(const HuntArguments& arguments) {
  const HuntSpace space = hunt_space(*find_built_in_kernel(arguments.kernel), arguments.rule, arguments.dtype);
  std::unique_ptr<Kernel> kernel;
  try {
    kernel = open_kernel(arguments);
  } catch (const NoDevice& error) {
    print_error(error.what());
    return nothing_judged;
  }
  HuntState state = first_state(arguments, identity_of(arguments, *kernel));
  Interruption interruption;
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t before = state.settled().evaluations;
  state = search(std::move(state), space, *kernel, arguments, interruption);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const HuntState found = state.settled();
  const std::vector<WorstCase> worst = worst_cases(found);
  if (arguments.out) {
    for (const WorstCase& each : worst) write_worst_case(*arguments.out, each, *kernel);
  }
  print(hunt_report(found, worst, arguments, {found.evaluations - before, seconds}));
  interruption.pass_on();
  return status_of(found);
}

}  // namespace deltaproof::cli
