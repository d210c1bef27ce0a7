#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cli/arguments.hpp"
#include "kernels/built_in/device.hpp"

namespace deltaproof::cli {

/// The devices that one command needs.
struct KernelDevices {
  std::shared_ptr<const Device> main;
  std::vector<NamedDevice> schedules;     ///< everything that must give the bits of the main run
  std::shared_ptr<const Device> checked;  ///< the instrumented build
  std::optional<NamedDevice> against;
};

/// Opens what the arguments ask for. Throws NoDevice, or KernelError: a library is missing, or was built from other
/// sources than the main one.
KernelDevices open_devices(const CheckArguments& arguments);

}  // namespace deltaproof::cli
