#include "properties/defects/recurrence_variant.hpp"

#include <algorithm>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "reference/arithmetic/fla_recurrent.hpp"

namespace deltaproof {

TextOutput<Bits> recurrence(const Bits& r, const TextInput<Bits>& in, const RecurrenceVariant& variant) {
  const Index lanes = row_lanes(r.declared().lanes, in.state_was_given);
  const MatrixF decays = r.transpose(r.exp2(r.times(in.g, r.log2e())));
  const MatrixF keys = r.transpose(in.k), queries = r.transpose(r.times(in.q, in.scale));
  MatrixF S = in.state;
  MatrixF o = r.zero(in.v.rows(), in.v.cols()), written = o, residual = o;
  for (Index t = 0; t < in.v.rows(); ++t) {
    const MatrixF k = keys.col(t), q = queries.col(t), v = in.v.row(t), beta = in.beta.row(t), decay = decays.col(t);
    const MatrixF before = S;
    const MatrixF decayed = variant.decays_after_write ? before : r.times(before, decay);
    const MatrixF& seen = variant.residual_of_undecayed ? before : decayed;
    const MatrixF key = keys.col(variant.residual_of_key_before ? std::max<Index>(t - 1, 0) : t);
    const MatrixF error = in.residual ? r.subtract_dot(v, seen, key, lanes) : v;
    const MatrixF write = r.times(error, beta);
    residual.row(t) = error;
    written.row(t) = write;
    S = r.fma(k, write, decayed);
    if (variant.decays_after_write) S = r.times(S, decay);
    const MatrixF read = variant.reads_before_write ? decayed
                         : variant.reads_undecayed  ? MatrixF(r.fma(k, write, before))
                                                    : S;
    o.row(t) = r.lane_dot(read, q, lanes);
  }
  return {r.round(o, Point::o), S, written, residual};
}

namespace faults {

MakeFault recurrence_with(RecurrenceVariant variant) {
  Fault fault;
  fault.kernels = Kernels::recurrent;
  fault.recurrence = [variant](const Bits& bits, const TextInput<Bits>& in) { return recurrence(bits, in, variant); };
  return always(std::move(fault));
}

}  // namespace faults
}  // namespace deltaproof
