#pragma once

#include "reference/arithmetic/fla_recurrent.hpp"

namespace deltaproof {

/// The recurrent kernel of this repository, token by token in fp32 from inputs as stored, for every rule of the
/// update family: S~ = Diag(e^g) S, d = b (v - S~^T k), S = S~ + k d^T, o = S^T (scale q); d = b v without residual
/// (docs/arithmetic.md, 'Built-in kernels').
template <Reading R>
TextOutput<R> deltaproof_recurrent(const R& r, const TextInput<R>& in) {
  using Block = typename R::Block;
  const Index lanes = row_lanes(r.declared().lanes, in.state_was_given);
  const Block decay = r.transpose(r.exp2(r.times(in.g, r.log2e())));  // one row, or one for each key channel
  const Block keys = r.transpose(in.k);
  const Block queries = r.transpose(r.times(in.q, in.scale));
  Block S = in.state;
  Block o = r.zero(in.v.rows(), in.v.cols()), written = o, residual = o;
  for (Index t = 0; t < in.v.rows(); ++t) {
    const auto of_token = [&](const Block& columns) { return r.part(columns, 0, t, columns.rows(), 1); };
    const Block k = of_token(keys);
    const Block v = r.part(in.v, t, 0, 1, in.v.cols());
    S = r.times(S, of_token(decay));
    const Block error = in.residual ? r.subtract_dot(v, S, k, lanes) : v;
    const Block write = r.times(error, r.part(in.beta, t, 0, 1, 1));
    r.place(residual, t, 0, error);
    r.place(written, t, 0, write);
    S = r.fma(k, write, S);
    r.place(o, t, 0, r.lane_dot(S, of_token(queries), lanes));
  }
  return {r.round(o, Point::o), S, written, residual};
}

}  // namespace deltaproof
