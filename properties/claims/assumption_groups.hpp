#pragma once

#include <vector>

#include "properties/claims/assumptions.hpp"

namespace deltaproof::claims {

std::vector<Assumption> instruction_assumptions();  ///< errors of instructions and functions of a GPU
std::vector<Assumption> tensor_core_assumptions();  ///< how a generation adds up a dot product
std::vector<Assumption> device_assumptions();       ///< on what hardware anything was measured
std::vector<Assumption> arithmetic_assumptions();   ///< orders of operations that kernels may declare
std::vector<Assumption> toolchain_assumptions();    ///< compilers, libraries, the CPU
std::vector<Assumption> method_assumptions();       ///< models, catalogues, what a recording says

}  // namespace deltaproof::claims
