#pragma once

#include <functional>
#include <vector>

#include "fuzz/finding.hpp"
#include "kernels/built_in/solve.hpp"

namespace deltaproof::fuzz {

/// The bytes as (I + L) X = R: sizes, way to solve, and entries among which are subnormal and huge ones; all finite.
SolveProblem read_solve(Bytes bytes);

/// Solves what the bytes make on the host executor, and puts X to the properties of every solve: within its proven bound,
/// the residual, both ways against each other, the same bits under another schedule. `solved`, for tests: what the kernel
/// under test makes of a right X.
void check_solve_target(Bytes bytes, const std::function<void(std::vector<float>& X)>& solved = {});

}  // namespace deltaproof::fuzz
