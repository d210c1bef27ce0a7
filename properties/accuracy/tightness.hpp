#pragma once

#include <string>

#include "properties/accuracy/accuracy.hpp"

namespace deltaproof {

/// How close a bound comes to the errors of a run: over all compared values of `o`, or of all states.
struct Tightness {
  std::int64_t compared = 0, violations = 0;
  double relative_rms = 0;       ///< root mean square error over that of the right answer
  double largest_ratio = 0;      ///< max error / bound
  double median_slack = 0;       ///< median of bound / error, over values with an error
  double largest_over_largest = 0;  ///< max bound / max error
  double unambiguous = 0;           ///< share of values whose bound is 0
};

struct RunTightness {
  std::string bound;
  Tightness o, states;
};

/// The same of the sets of the declared order of roundings (PIN): errors from their centres against their radii.
/// `bound` is empty if the kernel's arithmetic declares none.
RunTightness measure_pin(const Problem& problem, const Kernel& kernel);

/// Measured by the same comparison that judges; final_state counts among the states.
RunTightness measure_tightness(const Problem& problem, const Kernel& kernel,
                               const AccuracyOptions& options);

}  // namespace deltaproof
