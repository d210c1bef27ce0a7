#pragma once

#include "reference/bounds/read_logits.hpp"

namespace deltaproof {

/// The weights of one block's queries, count x entries, and what a kernel's may be, all over sums of weights: `exact`
/// over the exact sum, the others over the least that a kernel's can be (docs/read-bound.md, Lemma 2). Zero where a
/// query sees nothing.
struct ReadWeights {
  Matrix exact;    ///< p_j
  Matrix largest;  ///< at least a kernel's
  Matrix error;    ///< at least p_j |e^d - 1|, d the error of its exponent
  Vector sink_error;
};

/// Query i sees the first `cached` + i + 1 entries and the sink.
ReadWeights read_weights(const BlockLogits& logits, Index cached, double sink, const ReadFormats& formats);

}  // namespace deltaproof
