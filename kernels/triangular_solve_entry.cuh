#pragma once

#include "kernels/call.hpp"
#include "kernels/simt/simt.cuh"

namespace deltaproof {

/// `triangular_solve`: see SolveEntry.
int run_triangular_solve(const SolveCall& call, void* stream, char* error, std::size_t capacity);

constexpr SolveEntry triangular_solve_entry = {
    "triangular_solve", run_triangular_solve,
    "batch ceil(columns / 128) blocks of 128 threads, 4 C (C + 129) bytes of dynamic shared memory, with the inverse "
    "4 C (C + 1) + 64 (C - 16) more"};

}  // namespace deltaproof
