#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/hola_call.hpp"
#include "kernels/kernel.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// What messages call a buffer.
struct BufferLabel {
  std::string name;               ///< "v"
  std::string shape;              ///< "[1, 64, 2, 32]"
  std::size_t element_bytes = 4;
  std::size_t alignment = 16;     ///< of its first byte
};

/// The buffers of one run in a device's memory, each between guard zones, and the run itself. Buffers are freed
/// with the object. All throw KernelError.
class DeviceRun {
 public:
  virtual ~DeviceRun() = default;
  /// A copy of `bytes` that the kernel must not write to.
  virtual void* input(const BufferLabel& label, std::span<const std::byte> bytes) = 0;
  /// A copy of `bytes` that the kernel may update in place.
  virtual void* in_place(const BufferLabel& label, std::span<const std::byte> bytes) = 0;
  /// Poisoned memory: every byte 0xFF, which is NaN in every floating type.
  virtual void* output(const BufferLabel& label, std::size_t bytes) = 0;
  /// Calls the kernel, waits for its end and looks at the guard zones.
  virtual void call(const KernelEntry& entry, const KernelCall& call) = 0;
  virtual void call(const SolveEntry& entry, const SolveCall& call) = 0;
  virtual void call(const HolaEntry& entry, const HolaCall& call) = 0;
  virtual std::vector<std::byte> read(const void* buffer, std::size_t bytes) = 0;
};

/// Where built-in kernels run: the host executor, or a GPU.
class Device {
 public:
  virtual ~Device() = default;
  virtual const KernelLibrary& library() const = 0;
  virtual std::unique_ptr<DeviceRun> begin() const = 0;
  /// The model of its tensor core. Throws KernelError where there is none.
  virtual const TensorCoreModel& tensor_core() const = 0;
  /// What is known before a kernel is named: all but its launch configuration.
  virtual Provenance provenance() const = 0;
};

/// A device and what messages call it: "schedule reverse", "the host executor".
struct NamedDevice {
  std::string what;
  std::shared_ptr<const Device> device;
};

}  // namespace deltaproof
