#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "properties/defects/defect_kernel.hpp"
#include "properties/diagnose/shrink/shrink_case.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// The case that a problem's text describes: its metadata and inputs.
RunCase case_of(const ProblemSpec& spec);

/// Problems of 512 tokens (`tail`: 500) and 8 value heads with K = V = `channels`, in chunks of 64: one row; packed
/// sequences with grouped heads in vk layout, of KLA; a pool with padding, per-channel decay in fp32; a pool in bf16 with
/// normalised rows; one row with K other than V. Those of a cache for its kernels.
std::vector<ProblemSpec> long_problems(const std::string& order, std::int64_t channels);

/// A defect in a kernel of an order of roundings, and a long problem on which it fails.
struct DefectCase {
  std::string order;
  std::unique_ptr<DefectKernel> kernel;
  JudgedCase run;
};

/// The first of the orders and problems on which a run of the defect fails. Nothing: none does, or it says nothing of
/// any.
std::optional<DefectCase> failing_case(const Defect& defect, std::int64_t channels);

/// The same as a recorded run, with the states that the faulty kernel had; nothing where that is not possible.
std::optional<RunCase> recorded_run(const Defect& defect, const DefectCase& found);

}  // namespace deltaproof
