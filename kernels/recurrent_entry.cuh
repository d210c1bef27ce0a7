#pragma once

#include "kernels/call.hpp"
#include "kernels/simt/simt.cuh"

namespace deltaproof {

/// Kernel `recurrent`: see KernelEntry.
std::size_t recurrent_workspace_bytes(const KernelCall& call);
/// Checks the call and launches. Throws.
void launch_recurrent_call(const KernelCall& call);
int run_recurrent(const KernelCall& call, void* stream, char* error, std::size_t capacity);

constexpr KernelEntry recurrent_entry = {
    "recurrent", recurrent_workspace_bytes, run_recurrent,
    "N HV ceil(V / 16) blocks of 128 threads, 4 (24 K + 136) bytes of dynamic shared memory"};

}  // namespace deltaproof
