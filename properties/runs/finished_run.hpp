#pragma once

#include <optional>
#include <string>

#include "kernels/kernel.hpp"

namespace deltaproof {

/// A run that is over, for checks that take a kernel. Kernel and outputs must outlive it.
class FinishedRun : public Kernel {
 public:
  FinishedRun(const Kernel& kernel, const Outputs& outputs) : kernel_(kernel), outputs_(outputs) {}
  std::string name() const override { return kernel_.name(); }
  std::string arithmetic() const override { return kernel_.arithmetic(); }
  std::optional<Declared> declared() const override { return kernel_.declared(); }
  Outputs run(const Problem&) const override { return outputs_; }

 private:
  const Kernel& kernel_;
  const Outputs& outputs_;
};

}  // namespace deltaproof
