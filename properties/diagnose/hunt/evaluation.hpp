#pragma once

#include <string>

#include "kernels/kernel.hpp"
#include "properties/diagnose/hunt/candidate.hpp"
#include "properties/diagnose/hunt/objective.hpp"

namespace deltaproof {

/// What a run on one candidate gave.
struct Evaluation {
  Status status = Status::skipped;
  std::string reason;
  ObjectiveValues values;

  /// A verdict that no correct kernel should have.
  bool is_finding() const { return is_failure(status); }
};

/// Draws the candidate, runs the kernel and judges the run as `check_run` does (accuracy, and a run chunk by chunk
/// against it), on one thread. What makes no problem or is refused is `skipped`.
Evaluation evaluate(const Candidate& candidate, const Kernel& kernel);

}  // namespace deltaproof
