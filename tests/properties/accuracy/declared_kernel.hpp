#pragma once

#include <utility>

#include "kernels/kernel.hpp"

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

/// What a kernel of this order of roundings gives: o, final_state, and chunk_states if asked for.
Outputs emulated_outputs(const Problem& problem, const Declared& declared, bool with_states);
/// The same of the built-in order of the problem's arithmetic.
Outputs emulated_outputs(const Problem& problem, bool with_states);

}  // namespace deltaproof
