#pragma once

#include "kernels/call.hpp"
#include "kernels/simt/simt.cuh"

namespace deltaproof {

/// `triangular_solve` as the library exports it.
extern const SolveEntry triangular_solve_entry;

}  // namespace deltaproof
