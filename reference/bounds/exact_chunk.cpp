#include "reference/bounds/exact_chunk.hpp"

#include "reference/bounds/inverse_error.hpp"

namespace deltaproof {

ExactChunk exact_chunk(const Chunk& c) {
  ExactChunk x;
  x.Q = c.in.q;
  x.K = c.in.k;
  x.S = c.in.state;
  x.between = decay_between(c.in.decay, {}).exact;
  x.from_start = c.from_start.exact;
  x.to_end = c.to_end.exact;
  x.K_to_end = scaled_rows(x.to_end, x.K);
  x.P = c.grams.queries.exact;
  x.scale = c.in.scale;
  if (!c.in.residual) {
    x.U = c.in.v;
    x.W = Matrix::Zero(c.C, c.K);
    return x;
  }
  x.L = c.grams.keys.exact;
  x.T = unit_lower_inverse(x.L);
  x.RV = scaled_rows(c.in.b, c.in.v);
  x.RW = scaled_rows(c.in.b, scaled_rows(x.from_start, x.K));
  x.U = x.T * (x.RV - x.RW * x.S);
  x.W = x.T * x.RW;
  return x;
}

Matrix scaled_rows(const Matrix& column, const Matrix& m) { return column.col(0).asDiagonal() * m; }

}  // namespace deltaproof
