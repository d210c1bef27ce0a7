#pragma once

#include <array>
#include <memory>
#include <string>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"

namespace deltaproof {

/// A built-in kernel on the host executor, from the libraries of this build.
BuiltInKernel on_host(const std::string& kernel, HostDeviceOptions options = {});

/// The host executor with these libraries, two OS threads unless the options say otherwise.
std::shared_ptr<const Device> host_device(HostDeviceOptions options = {});

inline constexpr std::array input_types = {Dtype::bf16, Dtype::f16, Dtype::f32};

}  // namespace deltaproof
