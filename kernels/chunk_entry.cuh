#pragma once

#include "kernels/call.hpp"
#include "kernels/simt/simt.cuh"

namespace deltaproof {

/// Kernel `chunk` as the library exports it.
extern const KernelEntry chunk_entry;

}  // namespace deltaproof
