#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// Simpler specs than this one, the boldest first: structure (pool, sequences, rows, heads, tokens, channels,
/// chunk), then options and types, then values (zero, one, powers of two; whole tensors before tokens). Each lies
/// below it in one order, so going down ends. Some make no problem, or none that a kernel computes.
std::vector<ProblemSpec> simpler(const ProblemSpec& spec);

struct Shrunk {
  ProblemSpec spec;         ///< fails still; the given one if nothing simpler does
  std::int64_t tried = 0;   ///< specs put to `still_fails`
  bool smallest = true;     ///< none of the simpler ones fails; false: the budget ended before that was known
};

/// Goes down to the first simpler spec that fails, again and again, with at most `budget` calls. Deterministic.
/// `still_fails` is false for a spec that makes no problem.
Shrunk shrink(const ProblemSpec& failing, const std::function<bool(const ProblemSpec&)>& still_fails,
              std::int64_t budget);

}  // namespace deltaproof
