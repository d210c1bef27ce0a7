#pragma once

#include <cstdint>

#include "kernels/built_in/capabilities.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// Cases that between them take every rule in every type, sizes beyond 128 in every type, and, of a kernel with
/// chunks, every chunk size in every type for scalar and per-channel decay.
std::int64_t usual_cases(const BuiltInInfo& kernel);

/// Small: at most 24 channels and half as many tokens; everything else is drawn alike.
enum class CaseSizes { usual, small };

/// Problem `index` for a kernel, drawn from a family of inputs: rules and types take turns, so that `usual_cases`
/// in a row hold what it says; the rest is drawn from (seed, index): heads (with and without grouped values), packed
/// sequences (some empty), a pool of states, both, initial state, layout, normalised rows, types of the gates, scale,
/// eps; of hola, its cache. The kernel computes it. The name says what was drawn: "typical-12 gated_delta bf16 ...".
Problem kernel_case(const BuiltInInfo& kernel, const Regime& regime, std::uint64_t seed, std::uint64_t index,
                    CaseSizes sizes = CaseSizes::usual);
/// The same before it is drawn.
ProblemSpec kernel_case_spec(const BuiltInInfo& kernel, const Regime& regime, std::uint64_t seed, std::uint64_t index,
                             CaseSizes sizes = CaseSizes::usual);

}  // namespace deltaproof
