#pragma once

#include "reference/bounds/terms.hpp"

namespace deltaproof {

/// Which errors of what each token writes are bounded, too: of U = b e, as a kernel has it before it is rounded for further
/// use; of the residual e by itself; or none (docs/read-bound.md, 1).
enum class WrittenBound { none, written, residual };

/// What one chunk (a run of tokens judged as a unit) does to an error of its initial state, and how far a
/// kernel may be off within it. All for one head; C tokens, K key channels, V value columns.
///   O^     = O(S^) + dO,                  |dO| <= o
///   S_out^ = S_out(S^) + G^T x + dS,      |x| <= generator_error, |dS| <= state
/// where O and S_out are exact and affine: O(S + d) = O(S) + read d, S_out(S + d) = S_out(S) + transition d.
struct LocalBound {
  Matrix read;             ///< C x K
  Matrix transition;       ///< K x K
  double transition_norm = 0;  ///< upper bound on its 2-norm
  /// Norms of what computing them in double may have left in `transition` and `read`.
  double transition_slack = 0, read_slack = 0;
  Terms o;                 ///< C x V each, before o is rounded to its stored type
  Matrix generator;        ///< rows x K: error directions that are carried on with their sign
  Terms generator_error;   ///< rows x V
  Terms state;             ///< K x V
  /// If asked for: U^ = U(S^) + dU, |dU| <= u, U(S + d) = U(S) + read_u d (or e in place of U).
  Matrix read_u;           ///< C x K
  double read_u_slack = 0;
  Terms u;                 ///< C x V
};

/// Relative error of one element of a product of n terms in double, in any order.
inline double product_error(Index n) { return static_cast<double>(n + 1) * 0x1p-52; }

}  // namespace deltaproof
