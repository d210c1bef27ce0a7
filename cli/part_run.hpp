#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/kernel_devices.hpp"
#include "kernels/built_in/capabilities.hpp"
#include "properties/runs/solve_check.hpp"

namespace deltaproof::cli {

/// A kernel that computes no rule: a part of others, called alone on problems of its own.
class PartRun {
 public:
  PartRun(const BuiltInInfo& info, const CheckArguments& arguments, const KernelDevices& devices);

  std::int64_t usual() const;
  std::vector<Verdict> on_generated(std::uint64_t index) const;

 private:
  std::vector<Verdict> on_solve(std::uint64_t index) const;
  std::vector<Verdict> on_stage(std::uint64_t index) const;
  // What says nothing of a problem is left out, unless it was named.
  bool asked(std::string_view property, bool says_nothing) const;

  const BuiltInInfo& info_;
  const CheckArguments& arguments_;
  const KernelDevices& devices_;
  SolveChecks checks_;
};

/// Whether a property is one of such a kernel.
bool part_has_property(const BuiltInInfo& kernel, const std::string& name);

}  // namespace deltaproof::cli
