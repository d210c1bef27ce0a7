#pragma once

#include <vector>

#include "properties/accuracy/units.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof {

/// What a chunk of one head is made of, in double, from the state that it begins with (docs/semantics.md): rows are its
/// tokens. Everything that `o` and the state after the chunk are sums of.
struct ChunkTerms {
  Index begin = 0;         ///< token of the sequence
  Matrix q, k;             ///< C x K, normalised where the problem says so; q times scale
  Matrix u;                ///< C x V: b e
  Matrix removed;          ///< C x V: b S~^T k, what the residual takes from the value
  Matrix given;            ///< C x V: b v
  Matrix decayed;          ///< C x V: S~^T q, the read before the write
  Matrix o;                ///< C x V
  Matrix from_before;      ///< C x V: of o, what is read of the state before the chunk, undone by no write
  Matrix alpha;            ///< C x K: decay of each token
  Matrix gamma;            ///< C x K: product of the decays from the chunk's start to the token
  Matrix to_end;           ///< C x K: of those after the token to the chunk's end
  Matrix before, carried, after;  ///< K x V: state before; what is left of it by decay alone; state after
  RowVector removes;       ///< C: r b, by which the residual takes away what the key reads
  RowVector scores;        ///< C: q_t . k_t of each token's own write

  Index tokens() const { return q.rows(); }
  /// C x C: what token t reads of the write of token j <= t.
  Matrix reads_of_writes() const;
};

/// The chunk that holds `token`, by the problem's chunk size. `head`: inputs of the unit's head, whole sequence; of the
/// update family. `before_unit`: the state that the unit begins with.
ChunkTerms chunk_terms(const HeadInputs& head, const Unit& unit, const Matrix& before_unit, std::int64_t token);

}  // namespace deltaproof
