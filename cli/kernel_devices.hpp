#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// Why a property of a run has no verdict, whatever the problem: the devices that it compares were not asked for.
/// Empty if it has one.
std::string without_devices(std::string_view property, const KernelDevices& devices);

}  // namespace deltaproof::cli
