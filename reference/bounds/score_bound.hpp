#pragma once

#include "reference/bounds/head_bound.hpp"
#include "reference/bounds/rounding.hpp"

namespace deltaproof {

/// How a kernel forms the scores of HOLA's cache from what it has written (docs/read-bound.md, 1).
struct ScoreFormats {
  double u = u32;                  ///< unit roundoff of sums, products and norms
  double root_error = u32;         ///< relative error of a square root
  double smallest = 0x1p-126;      ///< below it, results may be flushed
  double largest = 0x1p127;        ///< a sum of squares above it may overflow
  bool unit_keys_in_16_bits =
      true;  ///< keys that the kernel normalises may be rounded to their type before they are measured
  Rounding stored = not_rounded;   ///< of the exported score
};

/// Formats of the arithmetic `name`; `stored` is the type of the exported scores (fp32: as they are).
ScoreFormats score_formats(std::string_view arithmetic, const Format& stored);

/// Which errors of the written values a score needs: those of U = b e, of e alone, or none.
WrittenBound needed_for(CacheScore score);

/// tokens x 1: how far a kernel's score may be from that of the exact U (rule `hola`; options.hola.score says which).
/// `u`: the exact U = b e, or e for the score `e` (tokens x V, within `u_radius`; 0 x 0: exactly); `u_error`:
/// HeadBound.u. Scores that need no state (beta_v, recency) ignore the three. Infinite where nothing is known, as for
/// `attention`, which no kernel computes.
Matrix score_bound(const HeadInputs& hola_head, const Matrix& u, const Matrix& u_radius, const Matrix& u_error,
                   const ScoreFormats& formats, const Format& input);

}  // namespace deltaproof
