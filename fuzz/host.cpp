#include "fuzz/host.hpp"

#include <map>

#include "fuzz/kernel_path.hpp"
#include "kernels/built_in/open_device.hpp"

namespace deltaproof::fuzz {

std::shared_ptr<const Device> host(Schedule schedule) {
  static std::map<Schedule, std::shared_ptr<const Device>> open;
  std::shared_ptr<const Device>& device = open[schedule];
  if (device == nullptr) {
    HostDeviceOptions options;
    options.schedule = schedule;
    options.threads = 1;
    options.folder = kernel_library_path("libdeltaproof_kernels_host.so").parent_path();
    device = open_host_device(options);
  }
  return device;
}

}  // namespace deltaproof::fuzz
