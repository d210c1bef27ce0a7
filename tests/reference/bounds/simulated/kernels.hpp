#pragma once

#include <string>
#include <vector>

#include "reference/problem/problem.hpp"
#include "tests/reference/bounds/simulated/chunk_kernel.hpp"

namespace deltaproof::simulated {

/// A correct kernel of one arithmetic, and the inputs it takes.
struct NamedKernel {
  std::string name;        ///< for messages
  std::string arithmetic;  ///< that it declares
  Format input;
  ChunkKernel kernel;
};

/// Kernels as the arithmetic `name` has them on `input`: real ones in the order of their code, then
/// variations inside the family.
std::vector<NamedKernel> kernels_of(const std::string& arithmetic, const Format& input);

}  // namespace deltaproof::simulated
