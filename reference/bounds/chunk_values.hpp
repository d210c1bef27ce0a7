#pragma once

#include "reference/bounds/chunk.hpp"
#include "reference/bounds/terms.hpp"

namespace deltaproof {

/// U = b e, the rewritten values, and what the chunk map needs to know of W (U = U0 - W S).
struct ChunkValues {
  Approximate u;  // error is the sum of `terms`
  Matrix W;       // C x K; zero for additive rules
  double W_slack = 0;  // norm of what computing it in double may have left in it
  Terms terms;
};

/// The values that a chunk writes, by the way its kernel solves for them (docs/loc.md, Theorems 4 and 5).
ChunkValues chunk_values(const Chunk& chunk);

/// v_new (or v) as operand of the products that follow.
Approximate values_as_operand(const Chunk& chunk, const ChunkValues& values);

}  // namespace deltaproof
