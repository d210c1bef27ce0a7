#pragma once

#include "reference/arithmetic/reading.hpp"

namespace deltaproof {

/// Threads among which flash-linear-attention's recurrent kernels divide the rows of the state. A load of an
/// initial state is vectorised over the columns, which leaves 16 of 32 threads to the rows; without one 4 are
/// left. Each number fails the other's recordings (docs/arithmetic.md, 2). They were made with states in fp32
/// and V >= 8: a state in 16 bits, or fewer columns, may be laid out otherwise.
inline Index row_lanes(Lanes lanes, bool state_was_given) {
  switch (lanes) {
    case Lanes::four: return 4;
    case Lanes::eight: return 8;
    case Lanes::sixteen: return 16;
    case Lanes::by_initial_state:
    case Lanes::any: break;  // any: the sets hold for every number
  }
  return state_was_given ? 16 : 4;
}

/// flash-linear-attention's recurrent kernels, token by token in fp32 from inputs as stored, for rules with a
/// scalar decay or none: S~ = S e^g, dv = b (v - S~^T k), S = S~ + k dv^T, o = S^T (scale q); dv = b v without
/// residual. The recordings are of the gated delta rule; the other rules' kernels are declared alike.
template <Reading R>
TextOutput<R> fla_recurrent(const R& r, const TextInput<R>& in) {
  using Block = typename R::Block;
  const Index lanes = row_lanes(r.declared().lanes, in.state_was_given);
  const Block decay = r.exp2(r.times(in.g, r.log2e()));
  const Block keys = r.transpose(in.k);
  const Block queries = r.transpose(r.times(in.q, in.scale));
  Block S = in.state;
  Block o = r.zero(in.v.rows(), in.v.cols());
  for (Index t = 0; t < in.v.rows(); ++t) {
    const Block k = r.part(keys, 0, t, keys.rows(), 1);
    const Block v = r.part(in.v, t, 0, 1, in.v.cols());
    S = r.times(S, r.part(decay, t, 0, 1, 1));
    const Block error = in.residual ? r.subtract_dot(v, S, k, lanes) : v;
    S = r.fma(k, r.times(error, r.part(in.beta, t, 0, 1, 1)), S);
    r.place(o, t, 0, r.lane_dot(S, r.part(queries, 0, t, queries.rows(), 1), lanes));
  }
  return {r.round(o, Point::o), S};
}

}  // namespace deltaproof
