#pragma once

#include <string>
#include <vector>

#include "kernels/built_in/solve.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof {

/// Small problems that between them reach what the faults of this folder change: partial chunks, K and
/// V that fill no tile, two slabs of K, grouped value heads, both state layouts, a pool with a skipped sequence and an
/// unused row, empty sequences, rows normalised in the kernel, small keys, gates that wipe the state.
/// `arithmetic`: the kernel's; `input`: type of q, k and v.
std::vector<Problem> fault_problems(const std::string& arithmetic, Dtype input);

/// Solves of every size both ways.
std::vector<SolveProblem> fault_solves();

}  // namespace deltaproof
