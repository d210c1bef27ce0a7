#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/built_in/device.hpp"
#include "kernels/simt/schedule.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// Which build of the kernels for the host runs.
enum class HostBuild {
  plain,
  checked,  ///< instrumented: races, accesses out of bounds, uninitialised reads
  clang,    ///< plain, compiled with clang
};

struct HostDeviceOptions {
  HostBuild build = HostBuild::plain;
  Schedule schedule = Schedule::random;
  std::uint64_t seed = 0;
  int threads = 0;                               ///< 0: all cores
  const TensorCoreModel* tensor_core = nullptr;  ///< null: hopper
  double timeout = 30;                           ///< seconds a launch may take
  std::filesystem::path folder = {};             ///< of the kernel libraries; empty: where they are installed
};

/// True if this installation has that build's library.
bool has_host_build(HostBuild build);

/// The host executor. Throws KernelError if the library is missing.
std::shared_ptr<const Device> open_host_device(const HostDeviceOptions& options);

/// The first CUDA device. Throws NoDevice, "no CUDA device: .." where there is none.
std::shared_ptr<const Device> open_cuda_device();

}  // namespace deltaproof
