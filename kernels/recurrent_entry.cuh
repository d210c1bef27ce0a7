#pragma once

#include "kernels/call.hpp"
#include "kernels/simt/simt.cuh"

namespace deltaproof {

/// Kernel `recurrent` as the library exports it.
extern const KernelEntry recurrent_entry;

}  // namespace deltaproof
