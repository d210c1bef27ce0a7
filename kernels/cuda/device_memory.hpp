#pragma once

#include <string>

#include "kernels/cuda/device_api.hpp"

namespace deltaproof {

// Memory of the selected device; device_api.hpp says what each does. All throw std::runtime_error.

DeviceBuffer allocate_guarded(std::size_t bytes);
void poison(const DeviceBuffer& buffer);
void check_guards(const DeviceBuffer& buffer, const std::string& name);
void release(DeviceBuffer& buffer);

}  // namespace deltaproof
