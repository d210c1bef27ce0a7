#pragma once

#include <optional>
#include <string>

#include "kernels/kernel.hpp"

namespace deltaproof {

/// Which score of rule `hola` is NaN in the kernel's declared arithmetic, read to the bit: such a kernel is right to refuse
/// the problem, for it has no rank. Nothing if none is, or if the arithmetic is not emulated.
std::optional<std::string> refused_score(const Kernel& kernel, const Problem& problem);

}  // namespace deltaproof
