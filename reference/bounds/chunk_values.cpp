#include "reference/bounds/chunk_values.hpp"

#include "reference/bounds/inverse_error.hpp"
#include "reference/bounds/local_bound.hpp"

namespace deltaproof {
namespace {

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
ChunkValues merged_values(const Chunk& c) {
  const ChunkFormats& f = c.f;
  const Approximate& L = c.grams.keys;
  const Approximate rv = rounded(hadamard(exactly(c.in.v), c.b, u32), f.rv);
  const Rounding& inner = early_rounding(f) ? f.key_beta : f.key_beta_undecayed;
  const Approximate rw = inner.mode != Rounding::Mode::exact
                             ? rounded(hadamard(rounded(hadamard(c.k_stored, c.b, u32), inner),
                                                c.from_start, u32), f.rw)
                             : rounded(hadamard(c.k_decayed, c.b, u32), f.rw);
  const Matrix T = unit_lower_inverse(L.exact);
  InverseError inverse = merged_inverse_error(L, T, c.acc_merge, f.merge);
  const bool any_merge = f.merge.mode == Rounding::Mode::exact && f.inverse == ChunkFormats::Inverse::merged;
  if (f.key_beta.mode != Rounding::Mode::exact || any_merge) {
    // No order is declared: plain substitution too.
    inverse.algorithm += substitution_error(L, T).algorithm;
  }
  if (f.exact_sums) inverse.algorithm.setZero();
  const Matrix dT = inverse.total();
  const Matrix hT = rounding_of_inverse(T, dT, f.T);
  const Approximate T_stored{T, dT + hT};

  ChunkValues result{.u = {}, .W = T * rw.exact, .W_slack = slack_of_solved(L.exact, T, rw.exact),
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
ChunkValues two_inverse_values(const Chunk& c) {
  const ChunkFormats& f = c.f;
  const Approximate& L = c.grams.keys;
  const Approximate rv = rounded(hadamard(exactly(c.in.v), c.b, u32), f.rv);
  const Approximate kb = rounded(hadamard(c.k_stored, c.b, u32), f.key_beta);
  Approximate L_plain = dot(kb, c.k.transpose(), c.acc_K);
  L_plain = {Matrix(L_plain.exact.triangularView<Eigen::StrictlyLower>()),
             Matrix(L_plain.error.triangularView<Eigen::StrictlyLower>())};
  const auto inverse_of = [&](const Approximate& lower) {
    const Matrix T = unit_lower_inverse(lower.exact);
    const InverseError error = substitution_error(lower, T);
    const Matrix dT = f.exact_sums ? error.from_input : error.total();
    return Approximate{T, dT + rounding_of_inverse(T, dT, f.T)};
  };
  Approximate u0 = dot(inverse_of(L), rv, c.acc_C);
  u0.error += rounding_of_u(u0, f);
  const Approximate w0 = rounded(dot(inverse_of(L_plain), kb, c.acc_C), f.w);
  const Approximate w = rounded(hadamard(w0, c.from_start, u32), f.w_decayed);

  const double W_slack = slack_of_solved(L_plain.exact, unit_lower_inverse(L_plain.exact), kb.exact);
  ChunkValues result{.u = {}, .W = w.exact, .W_slack = W_slack, .terms = Terms(c.apart)};
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
ChunkValues plain_values(const Chunk& c) {
  return {.u = exactly(c.in.v), .W = Matrix::Zero(c.C, c.K), .W_slack = 0, .terms = Terms(c.apart)};
}

}  // namespace

ChunkValues chunk_values(const Chunk& c) {
  if (!c.in.residual) return plain_values(c);
  return c.f.inverse == ChunkFormats::Inverse::two_substitutions ? two_inverse_values(c) : merged_values(c);
}

Approximate values_as_operand(const Chunk& c, const ChunkValues& values) {
  if (!c.in.residual) return rounded(values.u, c.f.value);
  // From a zero state w S vanishes, and v_new is u.
  const bool is_u = c.f.shared_value_type && c.state_size.isZero(0);
  return is_u ? values.u : rounded(values.u, c.f.v_new);
}

}  // namespace deltaproof
