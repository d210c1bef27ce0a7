#pragma once

#include <functional>

#include "kernels/kernel.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof::laws {

/// A gate that outputs go through: `check_accuracy`, or a rule of a test.
using Gate = std::function<Verdict(const Problem&, const Kernel&)>;

/// Offers the gate the right answer of the problem (rounded once to the types that kernels store: a kernel of
/// arithmetic `fp64`), which must pass, and damaged copies, none of which may: zeros, one row shifted by its size,
/// one NaN, all NaN, the largest value of o and of the state with the other sign; and a problem of which nothing is
/// compared. `failed` if the gate lets one pass or rejects the right answer, `uninformative` if it says of the right
/// answer that nothing is proved.
void try_gate(const Problem& problem, const Gate& gate, Verdict& verdict);

}  // namespace deltaproof::laws
