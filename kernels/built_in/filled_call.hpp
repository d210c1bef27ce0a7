#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/built_in/device.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof {

/// Of an element type that kernels take; F32 for others.
CallType call_type(Dtype dtype);

BufferLabel label_of(const std::string& name, const Tensor& tensor);
std::size_t bytes_of(const Tensor& tensor);

/// A tensor of the problem in the device's memory; null if there is none.
const void* input_tensor(const Problem& problem, DeviceRun& run, const std::string& name);

template <class Number>
const Number* input_array(DeviceRun& run, const std::string& name, const std::vector<Number>& values) {
  const BufferLabel text{name, shape_string({static_cast<std::int64_t>(values.size())}), sizeof(Number), 16};
  return static_cast<const Number*>(run.input(text, std::as_bytes(std::span(values))));
}

/// A copy of what the kernel left in `buffer`, in a tensor of this kind.
Tensor read_back(DeviceRun& run, const void* buffer, Tensor kind);

/// An output buffer of the tensor's size.
template <class Number = void>
Number* output_tensor(DeviceRun& run, const std::string& name, const Tensor& kind) {
  return static_cast<Number*>(run.output(label_of(name, kind), bytes_of(kind)));
}

/// The call of one run of the state, whose tensors are copied into the device's memory one after
/// the other. The problem must outlive it.
class FilledCall {
 public:
  FilledCall(const Problem& problem, DeviceRun& run);

  KernelCall call{};
  Tensor o, final_state;  ///< kinds, without contents

 private:
  template <class Integer>
  const Integer* integers(const std::string& name);
  void sizes();
  void options();
  const void* write();
  void outputs();

  const Problem& problem_;
  DeviceRun& run_;
};

}  // namespace deltaproof
