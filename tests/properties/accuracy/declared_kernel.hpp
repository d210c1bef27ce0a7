#pragma once

#include <utility>

#include "kernels/kernel.hpp"
#include "properties/accuracy/emulated_outputs.hpp"

namespace deltaproof {

/// Given outputs under a given order of roundings.
class DeclaredKernel : public Kernel {
 public:
  DeclaredKernel(Declared declared, Outputs outputs)
      : declared_(std::move(declared)), outputs_(std::move(outputs)) {}
  std::string name() const override { return "declared"; }
  std::string arithmetic() const override { return declared_.text; }
  std::optional<Declared> declared() const override { return declared_; }
  Outputs run(const Problem&) const override { return outputs_; }

 private:
  Declared declared_;
  Outputs outputs_;
};

}  // namespace deltaproof
