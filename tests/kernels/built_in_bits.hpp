#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/runs/kernel_case.hpp"

namespace deltaproof {

/// A built-in kernel on the host executor, from the libraries of this build.
BuiltInKernel on_host(const std::string& kernel, HostDeviceOptions options = {});

/// The host executor with these libraries, two OS threads unless the options say otherwise.
std::shared_ptr<const Device> host_device(HostDeviceOptions options = {});

/// What a run must leave in its output buffers, to the bit: the emulation of the kernel's declared arithmetic; where
/// a sequence is empty its initial state; where a row belongs to no sequence, or to one that is skipped, what was
/// there before: 0xFF in o, the pool's contents in the states.
Outputs expected_outputs(const Problem& problem);

/// Every bit of o and final_state; a failure names the first value that differs, and both.
testing::AssertionResult same_bits(const Problem& problem, const Outputs& expected, const Outputs& actual);

/// A problem of a rule with the kernel's own arithmetic: drawn from `regime`, with more metadata and tensors.
Problem own_problem(const std::string& kernel, Rule rule, const RegimeShape& shape, const Metadata& more = {},
                    const TensorMap& tensors = {}, const std::string& regime = "typical");

inline constexpr std::array input_types = {Dtype::bf16, Dtype::f16, Dtype::f32};

}  // namespace deltaproof
