#include "properties/defects/gate.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "properties/defects/defect_kernel.hpp"
#include "properties/laws/property.hpp"
#include "properties/runs/check_run.hpp"
#include "properties/runs/kernel_case.hpp"

namespace deltaproof {
namespace {

bool rejects(Status status) {
  return status != Status::passed && status != Status::skipped && status != Status::uninformative;
}

std::optional<Kill> kill_of(const Verdict& verdict) {
  if (!rejects(verdict.status)) return std::nullopt;
  return Kill{verdict.case_name, verdict.kernel, verdict.property, status_name(verdict.status), verdict.reason};
}

std::optional<Kill> killed_by_run(const Problem& problem, const Kernel& kernel, std::uint64_t seed) {
  RunChecks checks;
  checks.accuracy.threads = 1;
  checks.accuracy.seed = seed;
  for (const Verdict& verdict : check_run(problem, kernel, checks)) {
    if (std::optional<Kill> kill = kill_of(verdict)) return kill;
  }
  return std::nullopt;
}

std::optional<Kill> killed_by_laws(const Problem& problem, const Kernel& kernel, std::uint64_t seed) {
  for (const Property* law : all_laws()) {
    if (std::optional<Kill> kill = kill_of(check_property(*law, {problem, kernel, seed}))) return kill;
  }
  return std::nullopt;
}

// Calls `put_to` with each problem and its kernel until there is a kill. What says nothing of a problem is not run.
template <class PutTo>
std::optional<Kill> first_kill(const Defect* defect, const std::vector<std::string>& kernels,
                               const std::vector<std::string>& families, const GateOptions& options, PutTo put_to) {
  for (const std::string& regime : families) {
    if (find_regime(regime) == nullptr) throw std::logic_error("no such family of inputs: " + regime);
    for (std::uint64_t index = 0; index < options.cases; ++index) {
      for (const std::string& name : kernels) {
        const BuiltInInfo* drawn_for = find_built_in_kernel(name == "fla-chunk" ? "chunk" : name);
        const Problem problem = kernel_case(*drawn_for, *find_regime(regime), options.seed, index);
        const DefectKernel kernel(defect, name);
        if (!kernel.refusal(problem).empty() || !kernel.has_scores(problem)) continue;
        if (std::optional<Kill> kill = put_to(problem, kernel, options.seed)) return kill;
      }
    }
  }
  return std::nullopt;
}

template <class PutTo>
std::optional<Kill> first_kill(const Defect* defect, const GateOptions& options, PutTo put_to) {
  const bool of_cache = defect != nullptr && std::holds_alternative<HolaFault>(defect->edit);
  std::optional<Kill> kill;
  if (!of_cache) kill = first_kill(defect, options.kernels, options.regimes, options, put_to);
  if (kill || (defect != nullptr && !of_cache)) return kill;
  return first_kill(defect, options.cache_kernels, options.cache_regimes, options, put_to);
}

}  // namespace

const GateOptions& default_gate() {
  // Some defects show only where a decay wipes the state, or where keys are not unit vectors. The cases of this seed
  // hold the standard variant of KLA in every type. Ties and eps show where a cache has them.
  static const GateOptions options{.regimes = {"typical", "resets", "kla_mixnorm"},
                                   .cache_regimes = {"typical", "equal_scores", "tiny_rows"},
                                   .seed = 1};
  return options;
}

// A law takes many runs, a check of one run two.
std::optional<Kill> killed_by_gate(const Defect* defect, const GateOptions& options) {
  std::optional<Kill> kill = first_kill(defect, options, killed_by_run);
  return kill || !options.laws ? kill : first_kill(defect, options, killed_by_laws);
}

}  // namespace deltaproof
