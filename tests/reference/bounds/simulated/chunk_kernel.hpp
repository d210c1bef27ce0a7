#pragma once

#include "reference/bounds/chunk_input.hpp"
#include "tests/reference/bounds/simulated/gate_scan.hpp"
#include "tests/reference/bounds/simulated/inverse.hpp"
#include "tests/reference/bounds/simulated/points.hpp"

namespace deltaproof::simulated {

/// A chunk kernel: which points it rounds, and its free choices.
struct ChunkKernel {
  Roundings roundings;
  Operand operand = Operand::bf16;
  Operand gram_operand = Operand::tf32;  ///< per-channel decay: of the Gram products
  Dots dots = Dots::hopper;
  Scan scan = Scan::kogge_stone_32;
  Exponential exponential;
  Merge merge = Merge::tf32_left;
  bool two_inverses = false;  ///< nvlabs: w from an inverse without decay
  bool beta_first = false;    ///< k b before the Gram product
  bool scale_first = false;   ///< q scale before the dots
  bool scale_keys =
      false;  ///< k e^{..} rather than v_new e^{..} in the state update (per-channel decay: always)
  bool rescale_rounded = false;  ///< v_new e^{..} from the rounded v_new
  bool rw_from_rounded = false;  ///< (k b) e^{G} from the rounded k b
  bool decay_queries = false;    ///< q e^{G} as the operand, rather than (q S) e^{G}
  bool chained_state = true;     ///< S e^{G_C} as the accumulator of K^T U
};

struct ChunkOutput {
  Matrix o;  ///< not rounded to a stored type
  Matrix state;
};

/// One chunk from `state`. Only values that fp32 holds exactly are used of `in`: q, k, v, b, g.
ChunkOutput run_chunk(const ChunkKernel& kernel, Rounder& round, const ChunkInput& in,
                      const Matrix& g);

}  // namespace deltaproof::simulated
