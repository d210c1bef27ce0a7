#include "cli/kernel_devices.hpp"

#include <fmt/format.h>

#include "kernels/built_in/open_device.hpp"

namespace deltaproof::cli {
namespace {

HostDeviceOptions host_options(const CheckArguments& arguments) {
  HostDeviceOptions options;
  options.seed = arguments.seed;
  options.timeout = arguments.kernel.timeout;
  if (arguments.tensor_core != "any") options.tensor_core = find_tensor_core(arguments.tensor_core);
  if (const ScheduleInfo* named = find_schedule(arguments.kernel.schedule)) options.schedule = named->schedule;
  return options;
}

// Everything that must give the bits of the main run: the other schedules and, where it is built, clang's code.
void add_reruns(HostDeviceOptions options, KernelDevices& devices) {
  for (const ScheduleInfo& schedule : schedule_table()) {
    HostDeviceOptions other = options;
    other.schedule = schedule.schedule;
    other.seed = options.seed + 1;
    devices.schedules.push_back({fmt::format("schedule {}", schedule.name), open_host_device(other)});
  }
  if (has_host_build(HostBuild::clang)) {
    HostDeviceOptions other = options;
    other.build = HostBuild::clang;
    devices.schedules.push_back({"the build with clang", open_host_device(other)});
  }
  options.build = HostBuild::checked;
  devices.checked = open_host_device(options);
}

// A library of other sources vouches for nothing.
void require_same_sources(const KernelDevices& devices) {
  std::vector<NamedDevice> all = devices.schedules;
  if (devices.checked) all.push_back({"the checked build", devices.checked});
  if (devices.against) all.push_back(*devices.against);
  for (const NamedDevice& each : all) {
    const std::string ours = devices.main->library().source_hash, theirs = each.device->library().source_hash;
    if (ours == theirs) continue;
    throw KernelError(fmt::format("{} was built from other kernel sources ({} instead of {}); build everything anew",
                                  each.what, theirs.substr(0, 12), ours.substr(0, 12)));
  }
}

}  // namespace

KernelDevices open_devices(const CheckArguments& arguments) {
  const HostDeviceOptions options = host_options(arguments);
  KernelDevices devices;
  if (arguments.kernel.device == "cuda") {
    devices.main = open_cuda_device();
    if (!arguments.kernel.against_host) return devices;
    HostDeviceOptions host = options;
    if (host.tensor_core == nullptr) host.tensor_core = &devices.main->tensor_core();
    devices.against =
        NamedDevice{fmt::format("the host executor ({})", host.tensor_core->name), open_host_device(host)};
    require_same_sources(devices);
    return devices;
  }
  devices.main = open_host_device(options);
  if (arguments.kernel.schedule == "all") add_reruns(options, devices);
  require_same_sources(devices);
  return devices;
}

std::string without_devices(std::string_view property, const KernelDevices& devices) {
  if (property == "schedules" && devices.schedules.empty()) {
    return "no further run was asked for (--device host --schedule all)";
  }
  if (property == "checked" && !devices.checked) return "no checked run was asked for (--device host --schedule all)";
  if (property == "against_host" && !devices.against) {
    return "no other device was asked for (--device cuda --against-host)";
  }
  return {};
}

}  // namespace deltaproof::cli
