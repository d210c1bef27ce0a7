#pragma once

#include "kernels/built_in/capabilities.hpp"
#include "properties/regimes/generator.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// Where a search may go: what the kernel computes, and what it is confined to.
struct HuntSpace {
  const BuiltInInfo* kernel = nullptr;
  std::vector<Rule> rules;
  std::vector<Dtype> inputs;
};

/// The space of a kernel; empty names: everything that it computes. Throws InputError for a rule or type that it does not
/// compute, with those it does.
HuntSpace hunt_space(const BuiltInInfo& kernel, const std::string& rule, const std::string& dtype);

/// A problem of any family of inputs, small, drawn as `kernel_case_spec` does.
ProblemSpec drawn_spec(const HuntSpace& space, const Regime& regime, std::uint64_t seed, std::uint64_t index);

/// One parameter changed to another value: the family, its draw, rule, types, sizes, sequences, options. What results
/// stays small, so that a run takes milliseconds.
ProblemSpec moved_spec(const HuntSpace& space, ProblemSpec spec, Generator& g);

}  // namespace deltaproof
