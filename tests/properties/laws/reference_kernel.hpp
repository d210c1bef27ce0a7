#pragma once

#include "kernels/kernel.hpp"

namespace deltaproof {

/// The reference as a kernel of arithmetic `fp64`: the double run of the oracle, o and states in f64, or rounded
/// once, o to the inputs' type and states to fp32. Rules of the update family.
class ReferenceKernel : public Kernel {
 public:
  explicit ReferenceKernel(bool in_f64) : in_f64_(in_f64) {}
  std::string name() const override { return in_f64_ ? "reference in f64" : "reference"; }
  std::string arithmetic() const override { return "fp64"; }
  Outputs run(const Problem& problem) const override;

 private:
  bool in_f64_;
};

}  // namespace deltaproof
