#pragma once

#include <string>
#include <utility>

#include "properties/defects/defect.hpp"
#include "properties/diagnose/explain/hypotheses_places.hpp"
#include "properties/diagnose/explain/hypotheses_trial.hpp"

namespace deltaproof {

/// What a kernel of hypotheses gives for a problem; o in the type that was recorded.
class StandInKernel : public Kernel {
 public:
  /// `trial`: of all heads, whose right runs are its answer to the kernel's own problem. Both must outlive it.
  StandInKernel(const HypothesisTrial& trial, const Outputs& recorded);

  std::string name() const override { return kernel_.name; }
  std::string arithmetic() const override { return kernel_.problem.options().arithmetic; }
  /// Of another problem from the initial state on.
  Outputs run(const Problem& problem) const override;

 private:
  Outputs as_recorded(Outputs outputs) const;

  const HypothesisKernel& kernel_;
  const Outputs& recorded_;
  Outputs right_;
};

/// The edit is of outputs or of whole runs, not of a kernel's arithmetic.
bool is_of_outputs(const Defect& defect);

/// Outputs of the right run that were damaged at a place, or of a run that misuses the problem. `right`: of `kernel`.
Outputs wrong_outputs(const Defect& defect, const DefectPlace& place, const HypothesisKernel& kernel,
                      const StandInKernel& right);

}  // namespace deltaproof
