#pragma once

#include <memory>

#include "properties/defects/defect_kernel.hpp"

/// A kernel that computes the case of the example right, for its test.
inline std::unique_ptr<deltaproof::Kernel> kernel_under_test() {
  return std::make_unique<deltaproof::DefectKernel>(nullptr, "fla-chunk");
}
