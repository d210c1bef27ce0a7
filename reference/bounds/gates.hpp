#pragma once

#include "reference/bounds/approximate.hpp"

namespace deltaproof {

/// How a kernel forms its gates: scan of g in fp32 of at most `scan_depth` additions on any path, one
/// multiplication by log2(e), one subtraction, then an exponential of relative error `exp_error`.
struct GateRounding {
  double scan_depth = 64;
  double exp_error = 0x1p-21;  ///< ex2.approx: 2 ulp from the correctly rounded result (docs/loc.md, 1.3)
  double log_error = 0;        ///< relative error of g itself, where the kernel forms it
};

/// Summed log decays of one chunk: C x 1 (scalar decay) or C x K (per channel).
struct LogDecay {
  Matrix sum;   ///< G_i = sum_{r <= i} g_r
  Matrix size;  ///< sum_{r <= i} |g_r|
};

LogDecay log_decay(const Matrix& g);

/// e^{G_i} as the kernel has it (docs/loc.md, Lemma 1).
Approximate decay_from_start(const LogDecay& decay, const GateRounding& rounding);
/// e^{G_C - G_i}.
Approximate decay_to_end(const LogDecay& decay, const GateRounding& rounding);
/// e^{G_i - G_j} for j <= i, else 0; scalar decay only: C x C.
Approximate decay_between(const LogDecay& decay, const GateRounding& rounding);

}  // namespace deltaproof
