#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/built_in/device.hpp"

namespace deltaproof {

/// (I + L) X = R for a batch: what `triangular_solve` is given, in fp32.
struct SolveProblem {
  std::string name;
  std::int64_t batch = 1, C = 16, columns = 1;
  bool blocked_inverse = false;
  std::vector<float> L;  ///< batch x C x C, strictly lower; what stands elsewhere must not be read
  std::vector<float> R;  ///< batch x C x columns
};

/// X, batch x C x columns, from the device's library. Throws KernelError.
std::vector<float> solve(const Device& device, const SolveProblem& problem);

}  // namespace deltaproof
