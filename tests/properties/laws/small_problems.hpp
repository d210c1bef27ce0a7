#pragma once

#include <vector>

#include "kernels/built_in/capabilities.hpp"

namespace deltaproof {

/// Small problems of a built-in kernel (chunks of 16, at most 40 tokens a sequence, K = V = 16 or less than one
/// tile): rules and types take turns, and so do batch rows, packed sequences (one empty), a pool, a pool with one
/// skipped; heads with and without groups; both layouts; rows that are normalised; with and without an initial state;
/// of hola, caches of 0 to all tokens and blocks of 1 to 20.
std::vector<Problem> small_problems(const BuiltInInfo& kernel);

}  // namespace deltaproof
