#pragma once

#include "reference/bounds/head_bound.hpp"

namespace deltaproof {

/// A kernel that evaluates the token recurrence in double, in any order, and rounds once to its output type
/// (arithmetic `fp64`): for the update family the forward radius of docs/certificate.md at u = 2^-53; for the
/// other systems eight times the certified radius of the double oracle (docs/bounds.md, `fp64`).
/// `written`: of what each token writes, too (update family).
/// One state bound for each of `boundaries` (tokens before it).
HeadBound fp64_bound(const HeadInputs& run, const std::vector<Index>& boundaries,
                     WrittenBound written = WrittenBound::none);

}  // namespace deltaproof
