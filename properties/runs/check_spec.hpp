#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/laws/property.hpp"
#include "properties/runs/check_run.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// What a kernel is put to on one generated problem.
struct SpecChecks {
  bool run = true;                     ///< check_run with `checks`
  RunChecks checks;
  std::vector<const Property*> laws;   ///< those named
  std::size_t laws_in_turn = 0;        ///< so many others: in turn, of those that have something to say
  std::int64_t shrink_budget = 0;      ///< problems tried to make a failure smaller; 0: none
};

/// A verdict on a generated problem; of one that is bad, the smallest problem found that is bad in the same way.
struct SpecVerdict {
  Verdict verdict;
  std::optional<ProblemSpec> shrunken;
  bool smallest = true;  ///< nothing simpler is bad; false: the budget ended first
};

/// Seed of what laws draw on this problem.
std::uint64_t law_seed(const ProblemSpec& spec);

/// Draws the problem, puts the kernel to the checks, and shrinks what is `failed`, `nonconforming`, `suspect` or
/// `error`. Of a kernel whose runs differ a note says so. Throws InputError where the spec makes no problem.
std::vector<SpecVerdict> check_spec(const ProblemSpec& spec, const Kernel& kernel, const SpecChecks& checks);

}  // namespace deltaproof
