#pragma once

#include "reference/bounds/chunk_formats.hpp"
#include "reference/bounds/chunk_input.hpp"
#include "reference/bounds/gram.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// What the pieces of the proof share; docs/loc.md keeps these letters.
struct Chunk {
  Chunk(const ChunkInput& input, const ChunkFormats& formats, bool keep_apart)
      : in(input), f(formats), apart(keep_apart), C(in.k.rows()), K(in.k.cols()), V(in.v.cols()) {}

  const ChunkInput& in;
  const ChunkFormats& f;
  bool apart;
  Index C, K, V;
  DotError acc_K = 0, acc_C = 0;  // of dots over key channels and over tokens
  DotError acc_merge = 0;         // of the merge of the inverse
  Approximate q, k;     // as operands of a dot
  Approximate k_stored; // as loaded
  Approximate b;        // C x 1
  Approximate from_start, to_end;  // e^{G_i}, e^{G_C - G_i}: C x 1 or C x K
  Approximate q_decayed, k_decayed;
  Grams grams;
  Approximate state_copy;  // S as operand
  Matrix state_size;
};

/// Everything before the solve: operands, gates, Gram matrices, the state's copy. The references must outlive it.
Chunk prepare_chunk(const ChunkInput& in, const ChunkFormats& formats, const TensorCoreModel& tensor_core,
                    bool apart);

/// Rounding of something that the scale may already have been multiplied into.
Approximate rounded_scaled(Approximate x, const Rounding& rounding, ChunkFormats::Scale where, double scale);

}  // namespace deltaproof
