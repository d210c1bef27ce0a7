#pragma once

#include <string>

#include "reference/bounds/chunk_formats.hpp"
#include "reference/bounds/chunk_input.hpp"
#include "reference/bounds/noise.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// How the outputs of one chunk are spread about the exact ones, for correct kernels of a family (docs/advisory.md).
struct ChunkNoise {
  Noise o;      ///< C x V, before o is rounded to its stored type
  Noise state;  ///< K x V
  double condition = 1;  ///< || |T| |I + L| ||_inf of the triangular solve
};

/// Why no spread is modelled for these formats; empty if one is.
std::string no_noise(const ChunkFormats& formats, const RuleInfo& rule);

/// To first order in the roundings to 16 bits and to TF32; what fp32 arithmetic adds is in `worst`, by LOC.
ChunkNoise chunk_noise(const ChunkInput& in, const ChunkFormats& formats, const TensorCoreModel& tensor_core);

}  // namespace deltaproof
