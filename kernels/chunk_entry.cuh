#pragma once

#include "kernels/call.hpp"
#include "kernels/simt/simt.cuh"

namespace deltaproof {

/// Kernel `chunk`: see KernelEntry.
std::size_t chunk_workspace_bytes(const KernelCall& call);
/// Checks the call and launches. Throws.
void launch_chunk_call(const KernelCall& call);
int run_chunk(const KernelCall& call, void* stream, char* error, std::size_t capacity);

constexpr KernelEntry chunk_entry = {
    "chunk", chunk_workspace_bytes, run_chunk,
    "prepare: (chunk, HV) blocks of 128 threads; forward: N HV ceil(V / 32) blocks of 128 threads; dynamic shared "
    "memory at most 88 KiB"};

}  // namespace deltaproof
