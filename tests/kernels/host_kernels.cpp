#include "tests/kernels/host_kernels.hpp"

#include <utility>

namespace deltaproof {

std::shared_ptr<const Device> host_device(HostDeviceOptions options) {
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  if (options.threads == 0) options.threads = 2;
  return open_host_device(options);
}

BuiltInKernel on_host(const std::string& kernel, HostDeviceOptions options) {
  return BuiltInKernel(*find_built_in_kernel(kernel), host_device(std::move(options)));
}

}  // namespace deltaproof
