#pragma once

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "tests/properties/server/decode_server.hpp"

namespace deltaproof::server {

/// The built-in kernels on the host executor, from the libraries of this build.
struct HostKernels {
  const BuiltInKernel recurrent = on_host("recurrent"), chunk = on_host("chunk");
  Kernels both() const { return {recurrent, chunk}; }

 private:
  static BuiltInKernel on_host(const char* kernel) {
    HostDeviceOptions options;
    options.folder = DELTAPROOF_KERNEL_LIBRARIES;
    options.threads = 1;
    return BuiltInKernel(*find_built_in_kernel(kernel), open_host_device(options));
  }
};

}  // namespace deltaproof::server
