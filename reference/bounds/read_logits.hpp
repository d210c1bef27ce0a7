#pragma once

#include "reference/bounds/read_bound.hpp"

namespace deltaproof {

/// Rows of q or k as the cache is read with them: x~ = gamma o x f, f the reciprocal root.
struct ReadRows {
  Matrix exact;     ///< x~
  Matrix held;      ///< |what a kernel holds| is at most this, and off by at most held - |exact|
  Vector factor;    ///< f of each row
  Vector one_norm;  ///< |x f|_1 of each row
};

/// Rows of x (q or k; of the flat read for an empty gamma) with their errors in a kernel; `roundings`: besides those of
/// f and x f (docs/read-bound.md, Lemma 1). A row of which nothing is known holds infinities.
ReadRows read_rows_of(const Matrix& x, const Matrix& gamma, const HeadInputs& head, const ReadFormats& formats,
                      int roundings);

/// Logits of each query of a block against each entry, and how far a kernel's may be off.
struct BlockLogits {
  Matrix z, radius;
};

/// `scale` multiplies the dots; `largest_factor` >= every product of gammas and the scale that may be multiplied in
/// between.
BlockLogits block_logits(const ReadRows& q, const ReadRows& k, double scale, double largest_factor,
                         const ReadFormats& formats);

}  // namespace deltaproof
