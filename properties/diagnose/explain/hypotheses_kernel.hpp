#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

/// A kernel, emulated, into which defects are put.
struct HypothesisKernel {
  std::string name;
  Problem problem;    ///< with the inputs in the type that it takes
  Problem state;      ///< its state_part()
  Declared declared;
  bool exact = false; ///< it is what the run declares: a right hypothesis gives the run's bits
};

struct HypothesisKernels {
  std::vector<HypothesisKernel> kernels;  ///< a defect is put into the first in which it has a place
  std::string assumed;                    ///< why the first is not the declared order, or ""
};

/// The kernel that `declared` describes if it can be emulated, and stand-ins: a chunk kernel and a token recurrence that
/// round nothing to fewer than 24 bits. How far these are from the right answer is far less than what a kernel in 16 bits
/// may be. Empty with a reason where no kernel computes the rule.
HypothesisKernels kernels_of_hypotheses(const Problem& problem, const std::optional<Declared>& declared);

/// The same kernel in the place of what the run declares: `exact` with every rounding taken out.
std::optional<HypothesisKernel> without_roundings(const Problem& problem, bool recurrent);

}  // namespace deltaproof
