#include "reference/bounds/chunk_bound.hpp"

#include <cmath>
#include <limits>

#include "reference/bounds/chunk_values.hpp"

namespace deltaproof {
namespace {

// The state after the chunk (docs/loc.md, Theorem 4, part 2).
void bound_state(const Chunk& c, const ChunkValues& values, const Approximate& v_operand, LocalBound& bound) {
  const ChunkFormats& f = c.f;
  const Index last = c.C - 1;
  // e^{G_C}: one factor for the state, or one for each of its rows.
  Approximate decay{Matrix(c.K, 1), Matrix(c.K, 1)};
  for (Index i = 0; i < c.K; ++i) {
    const Index column = c.in.per_channel ? i : 0;
    decay.exact(i, 0) = c.from_start.exact(last, column);
    decay.error(i, 0) = c.from_start.error(last, column);
  }
  const Approximate carried =
      hadamard({c.in.state, Matrix::Zero(c.K, c.V), c.in.state_error}, decay, u32);
  const Matrix k_to_end = hadamard(c.k_stored, c.to_end, 0).exact;
  bound.transition = -k_to_end.transpose() * values.W;
  bound.transition.diagonal() += decay.exact.col(0);
  const double W_error = values.W_slack + product_error(c.C) * values.W.norm();
  bound.transition_slack = k_to_end.norm() * W_error + 0x1p-48;

  const bool scale_keys = f.k_scaled.mode != Rounding::Mode::exact;
  const bool scale_values = !c.in.per_channel && !(scale_keys && f.v_scaled.mode == Rounding::Mode::exact);
  Approximate keys = c.k;
  Approximate written;
  bound.generator_error = Terms(c.apart);
  if (scale_values) {
    // v_new e^{G_C - G_i}, from the unrounded v_new or (no order declared) from the rounded one.
    const Approximate& source = f.product.mode == Rounding::Mode::exact ? values.u : v_operand;
    const Approximate product = hadamard(source, c.to_end, u32);
    written = rounded(product, f.v_scaled);
    bound.generator_error.add_all(values.terms);
    bound.generator_error.scale_rows(c.to_end.exact);
    const Matrix rest = written.error - bound.generator_error.sum(c.C, c.V);
    bound.generator_error.add("v_new, scaled", rest.cwiseMax(0));
    bound.generator = c.k.exact;
  } else {
    keys = rounded(rounded(hadamard(c.k_stored, c.to_end, u32), f.k_scaled), f.operand);
    written = v_operand;
    bound.generator_error.add_all(values.terms);
    bound.generator_error.add("v_new", written.error - values.u.error);
    bound.generator = k_to_end;
  }
  const Matrix written_size = written.size();
  bound.state = Terms(c.apart);
  if (scale_values && scale_keys) {  // no order is declared: the keys may be scaled instead
    const Matrix k_size = hadamard(c.k_stored, c.to_end, u32).size();
    bound.state.add("k e^{..}", f.k_scaled.error(k_size).transpose() * v_operand.size());
  }
  if (f.product.mode != Rounding::Mode::exact) {
    bound.state.add("products", f.product.error(Matrix(keys.size().transpose() * written.size())));
  }
  bound.state.add("k operand", keys.error.transpose() * written_size);
  bound.state.add("decay", carried.error);
  bound.state.add("accumulation",
                  (c.acc_C.relative + u32) * carried.size() +
                      u32 * (keys.size().transpose() * written_size) +
                      c.acc_C.error(keys.size().transpose(), written_size));
}

// What rounding scale x may lose beyond scale times what rounding x does: the steps of a format are no multiples of the
// scale, and subnormal ones do not shrink with it.
Matrix scaled_first(const Rounding& rounding, const Matrix& size, double scale) {
  return (rounding.error(Matrix(scale * size)) - scale * rounding.error(size)).cwiseMax(0);
}

// The read-out (docs/loc.md, Theorem 4, part 3).
void bound_output(const Chunk& c, const ChunkValues& values, const Approximate& v_operand, LocalBound& bound) {
  const ChunkFormats& f = c.f;
  const Approximate P = rounded_scaled(c.grams.queries, f.P, f.scale, c.in.scale);
  const Approximate from_state = rounded(dot(c.q_decayed, c.state_copy, c.acc_K), f.product);
  const Approximate from_chunk = rounded(dot(P, v_operand, c.acc_C), f.product);
  bound.read = c.in.scale * (c.q_decayed.exact - P.exact * values.W);

  const double P_error = product_error(c.K) * c.q.exact.norm() * c.k.exact.norm();
  bound.read_slack = std::abs(c.in.scale) *
                     (P.exact.norm() * (values.W_slack + product_error(c.C) * values.W.norm()) +
                      P_error * values.W.norm() + 0x1p-48 * c.q.exact.norm());

  Terms& o = bound.o = Terms(c.apart);
  const Matrix P_size = P.size();
  o.add_mapped(P_size, values.terms);
  o.add("v_new", P_size * (v_operand.error - values.u.error));
  o.add("P", P.error * v_operand.size_at_state());
  o.add("state copy, read", c.q_decayed.exact.cwiseAbs() * c.state_copy.error);
  o.add("q, gates", c.q_decayed.error * c.state_copy.size());
  const Matrix named = o.sum(c.C, c.V);
  o.add("accumulation", (from_state.error + from_chunk.error - named).cwiseMax(0));
  o.add("scale", 3 * u32 * (from_state.size() + from_chunk.size()));
  o.scale(std::abs(c.in.scale));
  if (c.in.scale == 0) return;
  // Among subnormal numbers each of the two products with the scale loses up to a step of 2^-149 more.
  Matrix floor = Matrix::Constant(c.C, c.V, 2 * 0x1p-149);
  if (f.scale != ChunkFormats::Scale::output) {  // the dots have scaled operands, and their floors are not scaled
    const double scale = std::abs(c.in.scale);
    floor += DotError(0, c.acc_C.floor).error(scale * P_size, v_operand.size());
    floor += DotError(0, c.acc_K.floor).error(scale * c.q_decayed.size(), c.state_copy.size());
    floor += scaled_first(f.product, from_state.size(), scale) + scaled_first(f.product, from_chunk.size(), scale);
  }
  o.add("scale", floor);
}

// What is written: v_new before it is rounded as an operand; where no order is declared, after it, too. A kernel that
// wants e alone divides by b (docs/read-bound.md, 1.2).
void bound_written(const Chunk& c, const ChunkValues& values, const Approximate& v_operand, WrittenBound written,
                   LocalBound& bound) {
  bound.read_u = -values.W;
  bound.read_u_slack = values.W_slack + product_error(c.C) * values.W.norm();
  bound.u = Terms(c.apart);
  bound.u.add_all(values.terms);
  if (c.f.product.mode != Rounding::Mode::exact) bound.u.add("v_new", v_operand.error - values.u.error);
  if (written == WrittenBound::written) return;
  const Matrix size = v_operand.size();
  Matrix per_b(c.C, 1), e_error(c.C, c.V);
  for (Index i = 0; i < c.C; ++i) {
    const double b = std::abs(c.in.b(i, 0));
    per_b(i, 0) = b > 0 ? 1 / b : 0;
    const double relative = c.b.error(i, 0) * per_b(i, 0) + 3 * u32;
    if (b > 0 && relative < 0.5) {
      e_error.row(i) = relative / (1 - relative) * per_b(i, 0) * size.row(i);
    } else {
      e_error.row(i).setConstant(std::numeric_limits<double>::infinity());
    }
  }
  bound.u.scale_rows(per_b);
  bound.u.add("division by b", e_error);
  bound.read_u = per_b.col(0).asDiagonal() * bound.read_u;
  bound.read_u_slack *= per_b.maxCoeff();
}

}  // namespace

LocalBound chunk_bound(const ChunkInput& in, const ChunkFormats& formats,
                       const TensorCoreModel& tensor_core, bool apart, WrittenBound written) {
  const Chunk c = prepare_chunk(in, formats, tensor_core, apart);
  const ChunkValues values = chunk_values(c);
  const Approximate v_operand = values_as_operand(c, values);
  LocalBound bound;
  bound.transition_norm = in.transition_norm;
  bound_state(c, values, v_operand, bound);
  bound_output(c, values, v_operand, bound);
  if (written != WrittenBound::none) bound_written(c, values, v_operand, written, bound);
  return bound;
}

}  // namespace deltaproof
