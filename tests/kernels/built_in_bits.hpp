#pragma once

#include <gtest/gtest.h>

#include <string>

#include "properties/runs/kernel_case.hpp"
#include "tests/kernels/host_kernels.hpp"

namespace deltaproof {

/// What a run must leave in its output buffers, to the bit: the emulation of the kernel's declared arithmetic; where
/// a sequence is empty its initial state; where a row belongs to no sequence, or to one that is skipped, what was
/// there before: 0xFF in o, the pool's contents in the states.
Outputs expected_outputs(const Problem& problem);

/// Every bit of o and final_state; a failure names the first value that differs, and both.
testing::AssertionResult same_bits(const Problem& problem, const Outputs& expected, const Outputs& actual);

/// A problem of a rule with the kernel's own arithmetic: drawn from `regime`, with more metadata and tensors.
Problem own_problem(const std::string& kernel, Rule rule, const RegimeShape& shape, const Metadata& more = {},
                    const TensorMap& tensors = {}, const std::string& regime = "typical");

}  // namespace deltaproof
