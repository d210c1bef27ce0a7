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
};

struct RunTightness {
  std::string bound;
  Tightness o, states;
};

/// Measured by the same comparison that judges; final_state counts among the states.
RunTightness measure_tightness(const Problem& problem, const Kernel& kernel,
                               const AccuracyOptions& options);

}  // namespace deltaproof
