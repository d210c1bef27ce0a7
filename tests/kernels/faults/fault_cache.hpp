#pragma once

#include "tests/kernels/faults/fault_run.hpp"

namespace deltaproof {

/// Puts the kernels around HOLA's cache to small inputs, one after the other, and compares them with their arithmetic
/// in plain C++. `by`: "sets", "refusal", "scores", "read", "o", "layer", "rows", "decode" or "fill"; "schedules" where
/// `other`'s bits differ.
Caught run_cache_with_fault(const Device& first, const Device& other);

}  // namespace deltaproof
