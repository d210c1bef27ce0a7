#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/explanations.hpp"
#include "cli/kernel_devices.hpp"
#include "kernels/built_in/built_in_kernel.hpp"
#include "properties/runs/check_spec.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof::cli {

/// A kernel that computes rules, and what it is put to.
class RuleRun {
 public:
  /// `explanations`, for what fails, is shared by all kernels of a run and outlives this.
  RuleRun(const BuiltInInfo& info, const CheckArguments& arguments, const KernelDevices& devices,
          Explanations& explanations);

  std::int64_t usual() const;
  std::vector<Verdict> on_generated(std::uint64_t index) const;
  std::vector<Verdict> on_problem(const ProblemSpec& spec, const std::string& text) const;
  std::vector<Verdict> on_case(const CaseFile& file) const;

 private:
  void add_run_checks();
  const Regime& regime_of(std::uint64_t index) const;
  std::vector<Verdict> on_spec(const ProblemSpec& spec, const std::string& where) const;
  void explain(const Problem& problem, std::vector<Verdict>& verdicts) const;
  std::vector<Verdict> only_wanted(std::vector<Verdict> verdicts) const;
  Rerun rerun(const NamedDevice& device) const;

  const BuiltInInfo& info_;
  const CheckArguments& arguments_;
  const KernelDevices& devices_;
  Explanations& explanations_;
  std::unique_ptr<BuiltInKernel> kernel_;
  SpecChecks checks_;
};

}  // namespace deltaproof::cli
