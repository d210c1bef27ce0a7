#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "kernels/built_in/open_device.hpp"
#include "properties/stages/stage.hpp"
#include "properties/stages/stage_properties.hpp"

namespace deltaproof {

inline std::shared_ptr<const Device> stage_device(HostDeviceOptions options = {}) {
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  return open_host_device(options);
}

using StageRun = Outputs (*)(const Device&, const StageProblem&);

/// What the property says of a stage, by default the right one, on a problem.
inline Verdict verdict_of(std::string_view property, const StageProblem& problem, StageRun run = &run_stage,
                          const StageChecks& checks = {}) {
  const auto device = stage_device();
  const StageTrial trial{problem, *device, checks, 0, run};
  return check_stage_property(*find_stage_property(property), trial);
}

/// The first usual case of a stage whose name begins so.
inline StageProblem case_named(std::string_view stage, std::string_view begin) {
  const StageKernel& plan = *find_stage(stage);
  for (std::int64_t i = 0; i < plan.usual_cases; ++i) {
    StageProblem problem = plan.draw(0, static_cast<std::uint64_t>(i));
    if (problem.name.starts_with(begin)) return problem;
  }
  throw std::logic_error("no case of " + std::string(stage) + " begins with " + std::string(begin));
}

template <class Number>
Number* elements_of(Tensor& tensor) {
  return reinterpret_cast<Number*>(tensor.bytes.data());
}

/// The stage on a problem that `edit` has changed.
template <class Input, class Edit>
Outputs run_edited(const Device& device, const StageProblem& problem, const Edit& edit) {
  StageProblem other = problem;
  edit(std::get<Input>(other.input));
  return run_stage(device, other);
}

inline testing::AssertionResult passes(const Verdict& verdict) {
  if (verdict.status == Status::passed && verdict.compared > 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << verdict.property << " of " << verdict.case_name << " is "
                                     << status_name(verdict.status) << ": " << verdict.reason << " at "
                                     << to_string(verdict.first_bad) << ", ratio " << verdict.worst_ratio;
}

inline testing::AssertionResult fails(const Verdict& verdict, const std::string& part = "") {
  if (verdict.status == Status::failed && verdict.violations > 0 && verdict.has_first_bad &&
      verdict.reason.find(part) != std::string::npos) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << verdict.property << " of " << verdict.case_name << " is "
                                     << status_name(verdict.status) << ": " << verdict.reason;
}

}  // namespace deltaproof
