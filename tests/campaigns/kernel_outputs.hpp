#pragma once

#include "correct_run.hpp"
#include "kernels/kernel.hpp"

namespace deltaproof::campaign {

/// A fault that makes a kernel wrong, to show that a campaign can fail.
enum class Planted {
  nothing,
  truncated_point,  ///< u is cut to its type, not rounded
  scaled_by_0_03_percent,  ///< o times 1.0003 before it is stored
  scaled_by_0_3_percent,   ///< o times 1.003
};

/// What the run's kernel gives: the emulation of its order, from which it forms coefficients of rule kla itself,
/// in fp32.
Outputs kernel_outputs(const CorrectRun& run, const Problem& problem, Planted planted = Planted::nothing);

}  // namespace deltaproof::campaign
