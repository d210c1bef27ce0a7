#pragma once

#include "kernels/stepwise.hpp"

namespace deltaproof {

/// What `accuracy` judges: a run with the states between its chunks. A kernel with a cache gives its states itself: the
/// cache is no part of the state that a run in pieces hands on.
inline SteppedRun run_with_states(const Problem& problem, const Kernel& kernel) {
  if (problem.options().rule == Rule::hola) return {kernel.run(problem), {}};
  return run_stepwise(kernel, problem);
}

}  // namespace deltaproof
