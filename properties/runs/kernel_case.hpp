#pragma once

#include <cstdint>

#include "kernels/built_in/capabilities.hpp"
#include "properties/regimes/families.hpp"

namespace deltaproof {

/// Cases that between them take every rule and every type of a kernel: one of each pair.
std::int64_t usual_cases(const BuiltInInfo& kernel);

/// Problem `index` for a kernel, drawn from a family of inputs: rules and types take turns, so that `usual_cases`
/// in a row hold every pair; the rest is drawn from (seed, index): sizes, chunk size, heads (with and without
/// grouped values), packed sequences (some empty) or a pool of states, initial state, layout, normalised rows, type
/// of the gates, scale. The kernel computes it. The name says what was drawn: "typical-12 gated_delta bf16 ...".
Problem kernel_case(const BuiltInInfo& kernel, const Regime& regime, std::uint64_t seed, std::uint64_t index);

}  // namespace deltaproof
