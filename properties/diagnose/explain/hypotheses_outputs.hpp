#pragma once

#include "properties/defects/defect.hpp"
#include "properties/diagnose/explain/hypotheses_kernel.hpp"
#include "properties/diagnose/explain/hypotheses_places.hpp"

namespace deltaproof {

/// What a kernel of hypotheses gives for a problem, from the initial state on; o in the type that was recorded.
class StandInKernel : public Kernel {
 public:
  StandInKernel(const HypothesisKernel& kernel, const Outputs& recorded);

  std::string name() const override { return kernel_.name; }
  std::string arithmetic() const override { return kernel_.problem.options().arithmetic; }
  /// Of the kernel's own problem what was worked out once.
  Outputs run(const Problem& problem) const override;

 private:
  Outputs made(const Problem& problem) const;

  const HypothesisKernel& kernel_;
  const Outputs& recorded_;
  Outputs right_;
};

/// Outputs of the right run that were damaged at a place, or of a run that misuses the problem. `right`: of `kernel`.
Outputs wrong_outputs(const Defect& defect, const DefectPlace& place, const HypothesisKernel& kernel,
                      const StandInKernel& right);

}  // namespace deltaproof
