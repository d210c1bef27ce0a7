#pragma once

#include <optional>
#include <string>

#include "kernels/kernel.hpp"

namespace deltaproof {

/// Around another kernel, which must outlive it: what that says of itself, and a run of one's own.
class WrappedKernel : public Kernel {
 public:
  explicit WrappedKernel(const Kernel& inner) : inner_(inner) {}
  std::string name() const override { return inner_.name(); }
  std::string arithmetic() const override { return inner_.arithmetic(); }
  std::optional<Declared> declared() const override { return inner_.declared(); }
  std::string refusal(const Problem& problem) const override { return inner_.refusal(problem); }
  Provenance provenance() const override { return inner_.provenance(); }
  bool poisons_outputs() const override { return inner_.poisons_outputs(); }

 protected:
  const Kernel& inner() const { return inner_; }

 private:
  const Kernel& inner_;
};

}  // namespace deltaproof
