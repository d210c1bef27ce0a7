#pragma once

#include <memory>

#include "kernels/built_in/capabilities.hpp"
#include "kernels/built_in/device.hpp"

namespace deltaproof {

/// A built-in kernel on a device. Outputs: o in the inputs' type, final_state in fp32; of `hola` and `hola_decode`
/// chunk_states, scores and selected, too.
class BuiltInKernel : public Kernel {
 public:
  BuiltInKernel(const BuiltInInfo& info, std::shared_ptr<const Device> device);

  std::string name() const override { return std::string(info_.name); }
  std::string arithmetic() const override { return std::string(info_.arithmetic); }
  std::string refusal(const Problem& problem) const override { return refusal_of(info_, problem); }
  Provenance provenance() const override;
  bool poisons_outputs() const override { return true; }
  Outputs run(const Problem& problem) const override;

 private:
  const BuiltInInfo& info_;
  std::shared_ptr<const Device> device_;
  const KernelEntry* entry_ = nullptr;
  const HolaEntry* hola_ = nullptr;  ///< instead, of kernels around a cache
};

}  // namespace deltaproof
