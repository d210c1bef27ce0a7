#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/bounds/inverse_error.hpp"
#include "reference/bounds/noise_parts.hpp"

namespace deltaproof {
namespace {

// The blocks below those on the diagonal.
Matrix next_to_diagonal(const Matrix& m) {
  Matrix result = Matrix::Zero(m.rows(), m.cols());
  for (Index i = inverse_tile; i < m.rows(); i += inverse_tile) {
    const Index n = std::min(inverse_tile, m.rows() - i);
    result.block(i, i - inverse_tile, n, inverse_tile) = m.block(i, i - inverse_tile, n, inverse_tile);
  }
  return result;
}

// Zeroes what a merge copies from a truncated operand, which is not truncated again: the first row of X_ii and the
// last column of X_jj are those of the identity. `first`: X_ii L_ij next to the diagonal; `X`: the blocks as operands.
void leave_out_copies(Matrix& first, Matrix& X) {
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const Index distance = i / inverse_tile - j / inverse_tile;
      const bool first_row = i % inverse_tile == 0, last_column = j % inverse_tile == inverse_tile - 1;
      if (distance == 1 && first_row) first(i, j) = 0;
      if (distance == 1 ? last_column : distance > 1 && first_row) X(i, j) = 0;
    }
  }
}

Matrix keys_times_b(const NoiseParts& p) { return scaled_rows(p.c.in.b, p.x.K); }

// b v.
void written_values(NoiseParts& p) {
  if (!rounds(p.f.rv)) return;
  const KnownErrors known = known_errors(p.x.RV, hadamard(exactly(p.c.in.v), p.in_fp32.b, u32).error, p.f.rv);
  std::vector<Matrix> effects;
  for (const Matrix& d : known.of_x) effects.push_back(p.x.T * d);
  p.add_known_to_values("b v", effects);
  p.add_bounded_to_values("b v, either way", p.x.T, {}, known.half_width, known.rehearsal);
}

// b k e^G: rounded once, or already before the decay.
void decayed_keys(NoiseParts& p) {
  if (!rounds(p.f.rw)) return;
  const auto effect = [&](const Matrix& d) { return Matrix(-(p.x.T * (d * p.x.S))); };
  const KnownErrors known = known_errors(p.x.RW, hadamard(p.in_fp32.k_decayed, p.in_fp32.b, u32).error, p.f.rw);
  std::vector<Matrix> effects;
  for (const Matrix& d : known.of_x) effects.push_back(effect(d));
  const Rounding& inner = rounds(p.f.product) ? p.f.key_beta : p.f.key_beta_undecayed;
  if (rounds(inner)) {
    const Matrix decayed = scaled_rows(p.x.from_start, round_all(keys_times_b(p), inner));
    effects.push_back(effect(decayed - p.x.RW));
    effects.push_back(effect(round_all(decayed, p.f.rw) - p.x.RW));
  }
  p.add_known_to_values("b k e^G", effects);
  p.add_bounded_to_values("b k e^G, either way", -p.x.T, p.x.S, known.half_width, known.rehearsal);
}

// Errors of L = tril(b k k^T o A) from errors d of b k: one d moves a row of L, so that with d unknown the entries
// are independent only in as far as the keys are.
Matrix of_gram(const NoiseParts& p, const Matrix& d) {
  return strictly_lower((d * p.x.K.transpose()).cwiseProduct(p.x.between));
}
Matrix size_of_gram(const NoiseParts& p, const Matrix& half_width) {
  const Matrix squares = half_width.cwiseAbs2() * p.x.K.cwiseAbs2().transpose();
  return strictly_lower(squares.cwiseSqrt().cwiseProduct(p.x.between));
}

KnownErrors errors_of_keys_times_b(const NoiseParts& p) {
  return known_errors(keys_times_b(p), hadamard(p.in_fp32.k_stored, p.in_fp32.b, u32).error, p.f.key_beta);
}

// b k as a factor of the Gram product.
void early_keys(NoiseParts& p) {
  if (!rounds(p.f.key_beta)) return;
  const KnownErrors known = errors_of_keys_times_b(p);
  std::vector<Matrix> effects;
  for (const Matrix& d : known.of_x) effects.push_back(-(p.x.T * (of_gram(p, d) * p.x.U)));
  p.add_known_to_values("b k", effects);
  p.add_bounded_to_values("b k, either way", -p.x.T, p.x.U, size_of_gram(p, known.half_width),
                          of_gram(p, known.rehearsal));
}

// The merge of the blocks of the inverse (docs/advisory.md, 2): its operands N, X, the diagonal blocks, and the
// product in between, (X_ii L_ij) X_jj next to the diagonal, X_ii (N X)_ij farther away. Truncation has a mean, which
// a kernel that rounds them to nearest, or not, has not.
void merge(NoiseParts& p, const Matrix& X) {
  const Matrix N = p.x.L - block_diagonal(p.x.L);
  if (!rounds(p.f.merge) || N.isZero(0)) return;
  const Matrix& T = p.x.T;
  const Matrix D = Matrix::Identity(p.c.C, p.c.C) + block_diagonal(p.x.L);
  const Matrix diagonal = block_diagonal(T), TD = T * D, Y = N * T, below = strictly_lower(T);
  Matrix mean = Matrix::Zero(p.c.C, p.c.V);
  const auto operand = [&](const char* name, const Matrix& left, const Matrix& right, const Matrix& value) {
    p.add_to_values(name, left, right, value, p.f.merge);
    if (p.f.merge.mode != Rounding::Mode::truncated) return;
    const Matrix shift = value.unaryExpr([&](double v) {
      return v == 0 ? 0 : std::copysign(half_ulp(p.f.merge.format, v), -v);
    });
    mean += left * (shift * right);
  };
  Matrix first = next_to_diagonal(diagonal * N), inner = below;
  leave_out_copies(first, inner);
  operand("merge: L", -T, p.x.U, N);
  operand("merge: X", -(T * N), X, inner);
  operand("merge: diagonal", -TD, N * p.x.U, block_diagonal(below));
  operand("merge: product", -T, X, Y - next_to_diagonal(Y));
  operand("merge: product next to the diagonal", -TD, diagonal * X, first);
  if (!mean.isZero(0)) p.add_known_to_values("merge, mean", {mean});
}

// A rounding of T x or its like, rehearsed with x as it is after its own rounding: where T changes little, the result
// already lies in the type.
void rehearsed_after(NoiseParts& p, const Matrix& value, const Rounding& rounding) {
  for (Noise* noise : {&p.noise.o, &p.noise.state}) {
    noise->random.back().rehearsal = round_all(value, rounding) - value;
  }
}

// One stored inverse serves u and w: its errors multiply X, which has cancelled.
void merged_values(NoiseParts& p) {
  const Matrix X = p.x.RV - p.x.RW * p.x.S;
  written_values(p);
  decayed_keys(p);
  early_keys(p);
  p.add_to_values("L", -p.x.T, p.x.U, p.x.L, p.f.L);
  p.add_to_values("k k^T", -p.x.T, p.x.U, p.x.L, p.f.product);
  merge(p, X);
  p.add_to_values("T", {}, X, strictly_lower(p.x.T), p.f.T);
  p.add_to_values("u", {}, {}, p.x.T * p.x.RV, p.f.u);
  if (rounds(p.f.u)) rehearsed_after(p, p.x.T * round_all(p.x.RV, p.f.rv), p.f.u);
  p.add_to_values("w", {}, -p.x.S, p.x.W, p.f.w);
  const Matrix w = p.x.T * round_all(p.x.RW, p.f.rw);
  if (rounds(p.f.w)) rehearsed_after(p, w, p.f.w);
  p.add_to_values("w e^G", {}, -p.x.S, p.x.W, p.f.w_decayed);
  if (rounds(p.f.w_decayed)) rehearsed_after(p, round_all(w, p.f.w), p.f.w_decayed);
  p.add_to_values("w S", {}, {}, p.x.W * p.x.S, p.f.product);
}

// One inverse with decay for u, one without for w.
void two_inverse_values(NoiseParts& p) {
  const Matrix& g = p.x.from_start;
  const Matrix kb = keys_times_b(p), plain = strictly_lower(kb * p.x.K.transpose());
  const Matrix T_plain = unit_lower_inverse(plain);
  const Matrix w = T_plain * kb, decay = Matrix(g.col(0).asDiagonal());
  const Matrix U0 = p.x.T * p.x.RV;
  written_values(p);
  if (rounds(p.f.key_beta)) {
    const KnownErrors known = errors_of_keys_times_b(p);
    std::vector<Matrix> effects;
    for (const Matrix& d : known.of_x) {
      const Matrix of_w = T_plain * (d - strictly_lower(d * p.x.K.transpose()) * w);
      effects.push_back(-(p.x.T * (of_gram(p, d) * U0)) - scaled_rows(g, of_w * p.x.S));
    }
    p.add_known_to_values("b k", effects);
    // One error in three places: (x + y + z)^2 <= 3 (x^2 + y^2 + z^2).
    const Matrix half_width = std::sqrt(3.0) * known.half_width;
    p.add_bounded_to_values("b k, either way", -p.x.T, U0, size_of_gram(p, half_width), of_gram(p, known.rehearsal));
    p.add_bounded_to_values("b k in w, either way", -(decay * T_plain), p.x.S, half_width, known.rehearsal);
    const Matrix squares = half_width.cwiseAbs2() * p.x.K.cwiseAbs2().transpose();
    p.add_bounded_to_values("b k in the inverse of w, either way", decay * T_plain, w * p.x.S,
                            strictly_lower(squares.cwiseSqrt()),
                            strictly_lower(known.rehearsal * p.x.K.transpose()));
  }
  if (p.c.in.decay.sum.isZero(0)) {  // the two are the same, with the same errors
    p.add_to_values("T", {}, p.x.RV - p.x.RW * p.x.S, strictly_lower(p.x.T), p.f.T);
  } else {  // nearly the same, where the decay is weak: (x + y)^2 <= 2 x^2 + 2 y^2
    p.add_to_values("T", {}, p.x.RV, strictly_lower(p.x.T), p.f.T, 2);
    p.add_to_values("T, without decay", -decay, kb * p.x.S, strictly_lower(T_plain), p.f.T, 2);
  }
  p.add_to_values("u", {}, {}, U0, p.f.u);
  if (rounds(p.f.u)) rehearsed_after(p, p.x.T * round_all(p.x.RV, p.f.rv), p.f.u);
  p.add_to_values("w", -decay, p.x.S, w, p.f.w);
  const Matrix w_of_stored = T_plain * round_all(kb, p.f.key_beta);
  if (rounds(p.f.w)) rehearsed_after(p, w_of_stored, p.f.w);
  p.add_to_values("w e^G", {}, -p.x.S, scaled_rows(g, w), p.f.w_decayed);
  if (rounds(p.f.w_decayed)) rehearsed_after(p, scaled_rows(g, round_all(w_of_stored, p.f.w)), p.f.w_decayed);
}

}  // namespace

void add_value_noise(NoiseParts& p) {
  if (!p.c.in.residual) return;
  if (p.f.inverse == ChunkFormats::Inverse::two_substitutions) two_inverse_values(p); else merged_values(p);
}

}  // namespace deltaproof
