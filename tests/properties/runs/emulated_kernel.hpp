#pragma once

#include <functional>
#include <utility>

#include "kernels/kernel.hpp"
#include "properties/accuracy/emulated_outputs.hpp"

namespace deltaproof {

/// A kernel whose every run is the emulation of flash-linear-attention's order, damaged by `damage` afterwards.
class EmulatedKernel : public Kernel {
 public:
  using Damage = std::function<void(const Problem&, Outputs&)>;
  explicit EmulatedKernel(Damage damage = {}) : damage_(std::move(damage)) {}
  std::string name() const override { return "emulated"; }
  std::string arithmetic() const override { return "fla-chunk"; }
  std::string refusal(const Problem& problem) const override {
    return problem.options().rule == Rule::gated_delta ? "" : "emulated: rule linear is not computed";
  }
  Outputs run(const Problem& problem) const override {
    Outputs outputs = emulated_outputs(problem, built_in("fla-chunk", problem.options().rule).value(), false);
    outputs.tensors.erase("chunk_states");
    if (damage_) damage_(problem, outputs);
    return outputs;
  }

 private:
  Damage damage_;
};

}  // namespace deltaproof
