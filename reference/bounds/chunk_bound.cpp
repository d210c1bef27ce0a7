#include "reference/bounds/chunk_bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/bounds/gram.hpp"
#include "reference/bounds/inverse_error.hpp"

namespace deltaproof {
namespace {

// Everything that the pieces of the proof share (docs/loc.md keeps these letters).
struct Chunk {
  Chunk(const ChunkInput& input, const ChunkFormats& formats, bool keep_apart)
      : in(input), f(formats), apart(keep_apart), C(in.k.rows()), K(in.k.cols()), V(in.v.cols()) {}

  const ChunkInput& in;
  const ChunkFormats& f;
  bool apart;
  Index C, K, V;
  DotError acc_K = 0, acc_C = 0;  // of dots over key channels and over tokens
  DotError acc_merge = 0;         // of the merge of the inverse, TF32
  Approximate q, k;     // as operands of a dot
  Approximate k_stored; // as loaded
  Approximate b;        // C x 1
  Approximate from_start, to_end;  // e^{G_i}, e^{G_C - G_i}: C x 1 or C x K
  Approximate q_decayed, k_decayed;
  Grams grams;
  Approximate state_copy;  // S as operand
  Matrix state_size;
};

// U = b e, the rewritten values, and what the chunk map needs to know of W (U = U0 - W S).
struct Values {
  Approximate u;  // error is the sum of `terms`
  Matrix W;       // C x K; zero for additive rules
  double W_slack = 0;  // norm of what computing it in double may have left in it
  Terms terms;
};

// Rows as the kernel loads them: exact, or normalised by itself in fp32 and perhaps rounded.
Approximate stored(const Matrix& x, const Matrix& error, bool normalised, const Chunk& c) {
  if (!normalised) return error.size() == 0 ? exactly(x) : Approximate{x, error};
  const Approximate in_fp32{x, c.in.normalise_error * x.cwiseAbs()};
  return c.in.normalised_in_fp32 ? in_fp32 : rounded(in_fp32, c.f.normalised);
}

// Rounding of something that the scale may already have been multiplied into.
Approximate rounded_scaled(Approximate x, const Rounding& rounding, ChunkFormats::Scale where, double scale) {
  if (rounding.mode == Rounding::Mode::exact) return x;
  if (where == ChunkFormats::Scale::output || scale == 0) return rounded(std::move(x), rounding);
  const Matrix size = x.size();
  const Matrix scaled =
      rounding.error(Matrix(size * (std::abs(scale) * (1 + u32)))) / std::abs(scale) + u32 * size;
  x.error += where == ChunkFormats::Scale::query ? scaled : scaled.cwiseMax(rounding.error(size));
  return x;
}

Chunk prepare(const ChunkInput& in, const ChunkFormats& f, const TensorCoreModel& model, bool apart) {
  Chunk c(in, f, apart);
  const auto accumulation = [&model](Operand operand, Index n) {
    return DotError(accumulation_error(model, operand, n), accumulation_floor(model, operand, n, 1));
  };
  c.acc_K = accumulation(f.dot_operand, c.K);
  c.acc_C = accumulation(f.dot_operand, c.C);
  c.acc_merge = accumulation(Operand::tf32, std::max<Index>(48, c.C));
  c.acc_merge.relative += 3 * u32;
  GateRounding gates = f.gates;
  gates.log_error = in.g_error;
  c.from_start = decay_from_start(in.decay, gates);
  c.to_end = decay_to_end(in.decay, gates);
  c.k_stored = stored(in.k, in.k_error, in.k_normalised, c);
  c.k = rounded(c.k_stored, f.operand);
  c.q = rounded(stored(in.q, in.q_error, in.q_normalised, c), f.operand);
  if (!in.per_channel) c.q = rounded_scaled(std::move(c.q), f.q_scaled, f.scale, in.scale);
  const double stored_keys = in.normalised_in_fp32 ? 0 : unit_roundoff(f.normalised.format);
  c.b = {in.b, in.b_error_with(in.normalise_error + stored_keys) * in.b.cwiseAbs()};
  c.q_decayed = hadamard(c.q, c.from_start, u32);
  if (in.per_channel || f.product.mode != Rounding::Mode::exact) {
    c.q_decayed = rounded_scaled(std::move(c.q_decayed), f.q_scaled, f.scale, in.scale);
  }
  c.k_decayed = hadamard(c.k_stored, c.from_start, u32);
  const bool early_beta = f.key_beta.mode != Rounding::Mode::exact;
  const Approximate left =
      early_beta ? rounded(hadamard(c.k_stored, c.b, u32), f.key_beta) : c.k;
  c.grams = in.per_channel
                ? per_channel_grams(c.q, c.k, left, in.decay, f, in.scale, accumulation(f.gram_dot, c.K))
                : scalar_decay_grams(c.q, c.k, left, decay_between(in.decay, gates), f.product, c.acc_K);
  if (!early_beta) c.grams.keys = hadamard(c.grams.keys, c.b, u32);
  c.grams.keys = rounded(std::move(c.grams.keys), f.L);
  c.state_size = in.state_size();
  c.state_copy = {in.state, f.state_copy.error(c.state_size), in.state_error};
  return c;
}

// Norm of the error of T B in double, T by substitution: (C + 1) 2^-52 |T||M||T| |B| and the product's own.
double slack_of_solved(const Matrix& L, const Matrix& T, const Matrix& B) {
  const Matrix size = T.cwiseAbs();
  const double inverse = (size * (L.cwiseAbs() * size + size)).norm();
  return product_error(T.rows()) * (inverse + size.norm()) * B.norm();
}

// T as the kernel stores it: |T^ - T| below the (exact) unit diagonal.
Matrix rounding_of_inverse(const Matrix& T, const Matrix& inverse_error, const Rounding& rounding) {
  Matrix error = rounding.error(Matrix(T.cwiseAbs() + inverse_error));
  return error.triangularView<Eigen::StrictlyLower>();
}

// Storing u: row 0 of the inverse is a unit vector, so u is b v there, already in its type.
Matrix rounding_of_u(const Approximate& u0, const ChunkFormats& f) {
  Matrix error = f.u.error(u0.size());
  if (f.shared_value_type) error.row(0).setZero();
  return error;
}

// Whether products that other kernels form in one go may be rounded in between.
bool early_rounding(const ChunkFormats& f) { return f.product.mode != Rounding::Mode::exact; }

// One stored inverse serves u = T (b v) and w = T (b k e^G): its error multiplies X = b v - (b k e^G) S, which
// has already cancelled (docs/loc.md, Theorem 4, part 1).
Values merged_values(const Chunk& c) {
  const ChunkFormats& f = c.f;
  const Approximate& L = c.grams.keys;
  const Approximate rv = rounded(hadamard(exactly(c.in.v), c.b, u32), f.rv);
  const Approximate rw = early_rounding(f)
                             ? rounded(hadamard(rounded(hadamard(c.k_stored, c.b, u32), f.key_beta),
                                                c.from_start, u32), f.rw)
                             : rounded(hadamard(c.k_decayed, c.b, u32), f.rw);
  const Matrix T = unit_lower_inverse(L.exact);
  InverseError inverse = merged_inverse_error(L, T, c.acc_merge);
  if (f.key_beta.mode != Rounding::Mode::exact) {  // no order is declared: plain substitution too
    inverse.algorithm += substitution_error(L, T).algorithm;
  }
  const Matrix dT = inverse.total();
  const Matrix hT = rounding_of_inverse(T, dT, f.T);
  const Approximate T_stored{T, dT + hT};

  Values result{.u = {}, .W = T * rw.exact, .W_slack = slack_of_solved(L.exact, T, rw.exact),
                .terms = Terms(c.apart)};
  const Matrix& S = c.in.state;
  const Matrix Sb = c.state_copy.size();
  const Matrix hS = c.state_copy.error;
  const Matrix X = rv.exact - rw.exact * S;
  result.u.exact = T * X;
  const Matrix W_size = result.W.cwiseAbs();
  Matrix X_size = X.cwiseAbs();
  Matrix U_size = result.u.exact.cwiseAbs();
  if (c.in.state_error.size() != 0) {
    X_size += rw.exact.cwiseAbs() * c.in.state_error;
    result.u.drift = W_size * c.in.state_error;
    U_size += result.u.drift;
  }
  const Approximate u0 = dot(T_stored, rv, c.acc_C);
  const Approximate w0 = dot(T_stored, rw, c.acc_C);
  const Matrix hU = rounding_of_u(u0, f);
  Matrix hW = f.w.error(w0.size());
  if (f.w_decayed.mode != Rounding::Mode::exact) hW += f.w_decayed.error(Matrix(w0.size() + hW));
  const Matrix T_size = T_stored.size();

  Terms& t = result.terms;
  t.add("T rounding", hT * X_size);
  t.add("inverse", neumann_sum(inverse.input_spread, inverse.input_left * U_size) +
                       inverse.algorithm * X_size);
  t.add("b v, b k e^G", T_size * (rv.error + rw.error * Sb));
  t.add("u, w", hU + hW * Sb);
  t.add("state copy", W_size * hS + T_stored.error * (rw.exact.cwiseAbs() * hS));
  const Matrix w_size = w0.size() + hW;
  const Matrix ws = w_size * Sb;
  Matrix sums = c.acc_C.error(T_size, rv.size()) + c.acc_C.error(T_size, rw.size()) * Sb;
  sums += c.acc_K.error(w_size, Sb) + c.acc_K.relative * (u0.size() + hU) + u32 * (u0.size() + hU + ws);
  if (f.product.mode != Rounding::Mode::exact) sums += f.product.error(Matrix(ws * (1 + c.acc_K.relative)));
  t.add("accumulation", sums);
  result.u.error = t.sum(c.C, c.V);
  return result;
}

// Two inverses, one with decay for u and one without for w, each rounded: no cancellation between them
// (docs/loc.md, Theorem 5).
Values two_inverse_values(const Chunk& c) {
  const ChunkFormats& f = c.f;
  const Approximate& L = c.grams.keys;
  const Approximate rv = rounded(hadamard(exactly(c.in.v), c.b, u32), f.rv);
  const Approximate kb = rounded(hadamard(c.k_stored, c.b, u32), f.key_beta);
  Approximate L_plain = dot(kb, c.k.transpose(), c.acc_K);
  L_plain = {Matrix(L_plain.exact.triangularView<Eigen::StrictlyLower>()),
             Matrix(L_plain.error.triangularView<Eigen::StrictlyLower>())};
  const auto inverse_of = [&](const Approximate& lower) {
    const Matrix T = unit_lower_inverse(lower.exact);
    const Matrix dT = substitution_error(lower, T).total();
    return Approximate{T, dT + rounding_of_inverse(T, dT, f.T)};
  };
  Approximate u0 = dot(inverse_of(L), rv, c.acc_C);
  u0.error += rounding_of_u(u0, f);
  const Approximate w0 = rounded(dot(inverse_of(L_plain), kb, c.acc_C), f.w);
  const Approximate w = rounded(hadamard(w0, c.from_start, u32), f.w_decayed);

  const double W_slack = slack_of_solved(L_plain.exact, unit_lower_inverse(L_plain.exact), kb.exact);
  Values result{.u = {}, .W = w.exact, .W_slack = W_slack, .terms = Terms(c.apart)};
  result.u.exact = u0.exact - w.exact * c.in.state;
  if (c.in.state_error.size() != 0) result.u.drift = w.exact.cwiseAbs() * c.in.state_error;
  const Matrix Sb = c.state_copy.size();
  Terms& t = result.terms;
  t.add("u", u0.error);
  t.add("w", w.error * Sb);
  t.add("state copy", w.exact.cwiseAbs() * c.state_copy.error);
  const Matrix w_size = w.size();
  t.add("accumulation", c.acc_K.error(w_size, Sb) + c.acc_K.relative * u0.size() +
                            u32 * (u0.size() + w_size * Sb));
  result.u.error = t.sum(c.C, c.V);
  return result;
}

// Additive rules write v itself.
Values plain_values(const Chunk& c) {
  Values result{.u = exactly(c.in.v), .W = Matrix::Zero(c.C, c.K), .W_slack = 0, .terms = Terms(c.apart)};
  return result;
}

Values rewritten_values(const Chunk& c) {
  if (!c.in.residual) return plain_values(c);
  return c.f.inverse == ChunkFormats::Inverse::merged ? merged_values(c) : two_inverse_values(c);
}

// v_new (or v) as operand of the products that follow.
Approximate values_as_operand(const Chunk& c, const Values& values) {
  if (!c.in.residual) return rounded(values.u, c.f.value);
  // From a zero state w S vanishes, and v_new is u.
  const bool is_u = c.f.shared_value_type && c.state_size.isZero(0);
  return is_u ? values.u : rounded(values.u, c.f.v_new);
}

// The state after the chunk (docs/loc.md, Theorem 4, part 2).
void bound_state(const Chunk& c, const Values& values, const Approximate& v_operand, LocalBound& bound) {
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

// The read-out (docs/loc.md, Theorem 4, part 3).
void bound_output(const Chunk& c, const Values& values, const Approximate& v_operand, LocalBound& bound) {
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
}

}  // namespace

LocalBound chunk_bound(const ChunkInput& in, const ChunkFormats& formats,
                       const TensorCoreModel& tensor_core, bool apart) {
  const Chunk c = prepare(in, formats, tensor_core, apart);
  const Values values = rewritten_values(c);
  const Approximate v_operand = values_as_operand(c, values);
  LocalBound bound;
  bound.transition_norm = in.transition_norm;
  bound_state(c, values, v_operand, bound);
  bound_output(c, values, v_operand, bound);
  return bound;
}

}  // namespace deltaproof
