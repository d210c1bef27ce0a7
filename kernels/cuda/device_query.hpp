#pragma once

#include <string>

#include "kernels/cuda/device_api.hpp"

namespace deltaproof {

/// Number of CUDA devices; 0 with the reason, "no CUDA device: ...".
std::int32_t count_devices(std::string& reason);
/// Throws std::runtime_error.
DeviceProperties query_device(std::int32_t device);

}  // namespace deltaproof
