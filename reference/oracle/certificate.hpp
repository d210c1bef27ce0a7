#pragma once

#include "reference/oracle/answer.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {

/// Unit roundoffs of a token recurrence.
struct RecurrenceRounding {
  double u = 0;          ///< unit roundoff of every operation
  double exp_error = 0;  ///< relative error of alpha = exp(g)
  double b_error = 0;    ///< relative error of b
  double k_error = 0;    ///< componentwise relative error of the (normalised) keys
  double q_error = 0;    ///< of the queries
  /// Absolute error that one operation may add near zero. Negative: 2^-126 for u >= 2^-30 (single
  /// precision, flush to zero allowed), else 2^-1074.
  double underflow = -1;
  /// Relative distance of the coefficients in `steps` from the exact ones, beyond (4K + 64) 2^-53,
  /// which make_steps<double> meets wherever b has no cancellation in its denominator.
  double coefficient_error = 0;
};

/// Radii of a recurrence run with these roundings, from an exactly known initial state.
struct RecurrenceRadius {
  Matrix state;  ///< tokens x V: 2-norm of the error of column c of S_t
  Matrix o;      ///< tokens x V, before any rounding of o to its stored type
  Matrix u;      ///< tokens x V: error of u_t = b_t e_t
  Matrix e;      ///< tokens x V: error of e_t; infinite from theorem 2, which does not bound it
};

/// A 2-norm bound per value column (docs/certificate.md, theorem 2), valid for every evaluation of
/// the token recurrence that lemma 4 lists: sums in any order, fused or not, the residual's chain
/// starting from v or from zero, decay and b multiplied in anywhere, the step as e or as the matrix
/// I - b k k^T. It uses the exact trajectory's norms plus its own radius, so it is a forward bound:
/// for `fp64` kernels (u = 2^-53) and for the second-order ball of ADJ (u = 2^-24).
/// `initial_radius`: 2-norm error per column of the initial state (empty: exact). All operations
/// are on non-negative numbers and are inflated outwards.
RecurrenceRadius recurrence_radius(const Steps<double>& steps, const NormTrace& trace,
                                   const RowVector& initial_norm,
                                   const RecurrenceRounding& rounding,
                                   const RowVector& initial_radius = {});

/// The bound of theorem 3, a posteriori and for the order of the oracle's own text alone (it
/// certifies the double and MPFR routes): `computed` holds upper bounds on the norms of the run
/// being certified (its own |S^_t[:, c]|_2 and |w^_t[c]|), not of the exact trajectory.
/// `initial_norm` is that of the state the run started from, which may itself be off by
/// `initial_radius`: a run may be certified piece by piece.
RecurrenceRadius recurrence_radius_of_run(const Steps<double>& steps, const NormTrace& computed,
                                          const RowVector& initial_norm,
                                          const RecurrenceRounding& rounding,
                                          const RowVector& initial_radius = {});

/// Roundings of the oracle's own text at precision `bits`.
RecurrenceRounding oracle_rounding(const HeadInputs& head, int bits);

}  // namespace deltaproof
