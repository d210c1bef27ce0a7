#pragma once

#include "reference/bounds/chunk.hpp"

namespace deltaproof {

/// The matrices of one chunk without rounding, with the letters of docs/loc.md; scalar decay. C tokens, K key
/// channels, V value columns.
struct ExactChunk {
  Matrix Q, K, S;
  Matrix between;             ///< C x C: e^{G_i - G_j}, j <= i
  Matrix from_start, to_end;  ///< C x 1: e^{G_i}, e^{G_C - G_i}
  Matrix K_to_end;            ///< C x K
  Matrix P;                   ///< C x C, unscaled
  Matrix U, W;                ///< C x V, C x K
  Matrix RV, RW;              ///< b v, b k e^G; of rules with a residual, as L and T
  Matrix L, T;
  double scale = 1;
};

ExactChunk exact_chunk(const Chunk& chunk);

/// m with row i multiplied by column(i, 0).
Matrix scaled_rows(const Matrix& column, const Matrix& m);

}  // namespace deltaproof
