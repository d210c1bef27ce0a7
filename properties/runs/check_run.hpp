#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "properties/accuracy/accuracy.hpp"

namespace deltaproof {

/// A further run of the same kernel whose bits must be those of the first: another schedule, another build,
/// another device.
struct Rerun {
  std::string what;  ///< "schedule reverse", "the host executor"
  std::shared_ptr<const Kernel> kernel;
};

/// What a kernel is put to on one problem. Each property is one verdict.
struct RunChecks {
  std::vector<Rerun> schedules;          ///< property `schedules`; empty: not asked for
  std::shared_ptr<const Kernel> checked;  ///< property `checked`: races, bounds, uninitialised reads; null: not asked
  std::optional<Rerun> against;          ///< property `against_host`
  AccuracyOptions accuracy;
};

/// Runs the kernel on the problem and judges it. First `accuracy`, teacher-forced: the states between chunks are
/// had from a run chunk by chunk, which must give the bits of the whole run (rule `hola`: from the run itself), and
/// rows of a pool of states that no sequence has must stay as they were. A problem that the kernel refuses, or a device
/// that is not there, is `skipped` with the reason; a fault in the kernel is `error`. The further properties are left
/// out after an `error`.
std::vector<Verdict> check_run(const Problem& problem, const Kernel& kernel, const RunChecks& checks);

}  // namespace deltaproof
