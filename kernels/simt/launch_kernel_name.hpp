#pragma once

#include <cstddef>
#include <string>

#include "kernels/simt/abi.hpp"

namespace deltaproof {

/// The kernel's name as the request gives it, else from the symbols of its library ("chunk<float>", without the
/// parameters), else "(no name)". Reads the library's file: for messages.
std::string kernel_name(const simt_launch_request& request);

/// Bytes of the `__shared__` variables that the kernel's function itself declares, from the symbols of its library; 0
/// if they do not tell. Reads the library's file.
std::size_t own_static_shared(const simt_launch_request& request);

}  // namespace deltaproof
