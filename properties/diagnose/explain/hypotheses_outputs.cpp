#include "properties/diagnose/explain/hypotheses_outputs.hpp"

#include <utility>

#include "properties/accuracy/emulated_outputs.hpp"

namespace deltaproof {

StandInKernel::StandInKernel(const HypothesisTrial& trial, const Outputs& recorded)
    : kernel_(trial.kernel()), recorded_(recorded), right_(as_recorded(trial.right_outputs())) {}

Outputs StandInKernel::as_recorded(Outputs outputs) const {
  const Tensor* o = recorded_.find("o");
  Tensor& made = outputs.tensors.at("o");
  if (o != nullptr && made.dtype != o->dtype) made = Tensor::from(o->dtype, made.shape, made.values());
  return outputs;
}

Outputs StandInKernel::run(const Problem& problem) const {
  if (&problem == &kernel_.problem) return right_;
  return as_recorded(emulated_outputs(problem, kernel_.declared, recorded_.find("chunk_states") != nullptr));
}

bool is_of_outputs(const Defect& defect) {
  return std::holds_alternative<DamageOutputs>(defect.edit) || std::holds_alternative<WrongRun>(defect.edit);
}

Outputs wrong_outputs(const Defect& defect, const DefectPlace& place, const HypothesisKernel& kernel,
                      const StandInKernel& right) {
  if (const auto* wrong = std::get_if<WrongRun>(&defect.edit)) return (*wrong)(kernel.problem, right);
  Outputs outputs = right.run(kernel.problem);
  Generator draw = Generator::steered(place.draws);
  std::get<DamageOutputs>(defect.edit)(kernel.problem, outputs, draw);
  return outputs;
}

}  // namespace deltaproof
