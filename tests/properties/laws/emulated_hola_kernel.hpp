#pragma once

#include <string>
#include <utility>

#include "kernels/built_in/capabilities.hpp"
#include "kernels/kernel.hpp"
#include "properties/accuracy/emulated_hola.hpp"

namespace deltaproof {

/// Built-in kernel `hola` or `hola_decode`, emulated, with something wrong in its cache.
class EmulatedHola : public Kernel {
 public:
  explicit EmulatedHola(const std::string& kernel, HolaFault fault = {})
      : info_(*find_built_in_kernel(kernel)), fault_(std::move(fault)) {}

  std::string name() const override { return std::string(info_.name); }
  std::string arithmetic() const override { return std::string(info_.arithmetic); }
  std::string refusal(const Problem& problem) const override { return refusal_of(info_, problem); }
  Outputs run(const Problem& problem) const override {
    const Problem part = problem.state_part();
    const Declared declared = built_in(arithmetic(), part.options().rule).value();
    return emulated_hola(problem, fault_, hola_state(part, declared, fault_), true);
  }

 private:
  const BuiltInInfo& info_;
  HolaFault fault_;
};

}  // namespace deltaproof
