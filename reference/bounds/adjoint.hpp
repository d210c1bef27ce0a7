#pragma once

#include <functional>
#include <vector>

#include "reference/bounds/local_bound.hpp"

namespace deltaproof {

/// How far a whole run may be off, chunk by chunk, in sequence order (docs/adj.md, Theorem 2).
struct RunBound {
  std::vector<Terms> o;               ///< C x V each, before o is rounded to its stored type
  std::vector<Terms> state;           ///< K x V: error of the state after each chunk
  std::vector<Terms> u;               ///< C x V each: of what each token writes, where `local` bounds it
};

/// Bound of chunk n, given how far the kernel's state may be off at its start (0 x 0: exactly known).
using ChunkBoundFunction = std::function<LocalBound(Index n, const Matrix& state_error)>;

/// The chunk adjoint: every chunk's own errors are carried to every later output through the exact signed
/// propagators. `apart`: keep terms apart. Once an
/// error is not finite, every later bound is infinite and no chunk is asked for any more.
RunBound adjoint_bound(Index chunks, Index K, Index V, const Matrix& initial_error,
                       const std::function<Index(Index)>& tokens_of, const ChunkBoundFunction& local,
                       bool apart);

}  // namespace deltaproof
