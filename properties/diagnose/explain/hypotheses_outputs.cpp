#include "properties/diagnose/explain/hypotheses_outputs.hpp"

#include <utility>

#include "properties/accuracy/emulated_outputs.hpp"

namespace deltaproof {

StandInKernel::StandInKernel(const HypothesisKernel& kernel, const Outputs& recorded)
    : kernel_(kernel), recorded_(recorded), right_(made(kernel.problem)) {}

Outputs StandInKernel::made(const Problem& problem) const {
  Outputs outputs = emulated_outputs(problem, kernel_.declared, recorded_.find("chunk_states") != nullptr);
  if (const Tensor* o = recorded_.find("o"); o != nullptr) {
    Tensor& made = outputs.tensors.at("o");
    if (made.dtype != o->dtype) made = Tensor::from(o->dtype, made.shape, made.values());
  }
  return outputs;
}

Outputs StandInKernel::run(const Problem& problem) const {
  return &problem == &kernel_.problem ? right_ : made(problem);
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
