#pragma once

#include <string>

#include "properties/laws/one_step.hpp"

namespace deltaproof::laws {

/// "" if a problem's writes can be made full steps, b = 1/|k|^2 in the kernel's arithmetic; else why not.
std::string no_full_step(const Trial& trial);

/// The problem as `kla` with eps = 0 and every eta = `eta`, of which the kernel forms b = eta/|k|^2: at eta = 1 a
/// write is the projection onto S^T k = v. Undefined for a zero key: such heads are to be left out (|k|^2 = 0).
Problem with_full_steps(const Problem& problem, double eta);

/// Whether 1/|k|^2, and with it the write, is a number of fp32: |k|^2 > 2^-100, b e in range.
bool has_full_step(const Write& write);

}  // namespace deltaproof::laws
