#include <cmath>

#include "reference/bounds/inverse_error.hpp"
#include "reference/bounds/noise_parts.hpp"

namespace deltaproof {
namespace {

Matrix sums_of_substitution(const Matrix& L, const Matrix& T) {
  return substitution_error({L, Matrix::Zero(L.rows(), L.cols())}, T).algorithm;
}

// Errors of the inverse itself, merged or by one substitution.
void sums_of_inverse(NoiseParts& p) {
  if (p.f.inverse == ChunkFormats::Inverse::two_substitutions) {
    // Two errors: what they multiply does not cancel.
    const Matrix kb = scaled_rows(p.c.in.b, p.x.K), plain = strictly_lower(kb * p.x.K.transpose());
    p.add_bounded_to_values("sums of the inverse", {}, p.x.RV, sums_of_substitution(p.x.L, p.x.T));
    p.add_bounded_to_values("sums of the inverse, without decay", -Matrix(p.x.from_start.col(0).asDiagonal()),
                            kb * p.x.S, sums_of_substitution(plain, unit_lower_inverse(plain)));
    return;
  }
  const Approximate L{p.x.L, Matrix::Zero(p.c.C, p.c.C)};
  Matrix sums = merged_inverse_error(L, p.x.T, p.in_fp32.acc_merge, not_rounded).algorithm;
  const bool known_merge = p.f.inverse == ChunkFormats::Inverse::merged_in_fp32;
  if (!known_merge) sums += sums_of_substitution(p.x.L, p.x.T);
  p.add_bounded_to_values("sums of the inverse", {}, p.x.RV - p.x.RW * p.x.S, sums);
}

// Sums of the values: each within its bound of docs/loc.md, Lemma 2, about a mean of nearly zero.
void sums_of_values(NoiseParts& p) {
  const DotError& over_keys = p.in_fp32.acc_K;
  const DotError& over_tokens = p.in_fp32.acc_C;
  const Matrix T = p.x.T.cwiseAbs(), keys = p.x.K.cwiseAbs();
  const Matrix gram = over_keys.error(keys, Matrix(keys.transpose())).cwiseProduct(p.x.between);
  p.add_bounded_to_values("sum of k k^T", -p.x.T, p.x.U, strictly_lower(scaled_rows(p.c.in.b.cwiseAbs(), gram)));
  sums_of_inverse(p);
  p.add_bounded_to_values("sum of u", {}, {}, over_tokens.error(T, p.x.RV.cwiseAbs()));
  p.add_bounded_to_values("sum of w", {}, -p.x.S, over_tokens.error(T, p.x.RW.cwiseAbs()));
  p.add_bounded_to_values("sum of w S", {}, {}, over_keys.error(p.x.W.cwiseAbs(), p.x.S.cwiseAbs()));
}

void sums_of_outputs(NoiseParts& p) {
  const DotError& over_keys = p.in_fp32.acc_K;
  const DotError& over_tokens = p.in_fp32.acc_C;
  const Matrix S = p.x.S.cwiseAbs(), U = p.x.U.cwiseAbs();
  const double scale = std::abs(p.x.scale);
  const Matrix Q = scaled_rows(p.x.from_start, p.x.Q.cwiseAbs());
  const Matrix scores =
      over_keys.error(p.x.Q.cwiseAbs(), Matrix(p.x.K.cwiseAbs().transpose())).cwiseProduct(p.x.between);
  p.noise.o.random.push_back(bounded_noise("sum of q k^T", {}, p.x.U, scale * scores));
  p.noise.o.random.push_back(bounded_noise("sum of q S", {}, {}, scale * over_keys.error(Q, S)));
  p.noise.o.random.push_back(bounded_noise("sum of P v", {}, {}, scale * over_tokens.error(p.x.P.cwiseAbs(), U)));
  const Matrix carried = (over_tokens.relative * p.x.from_start(p.c.C - 1, 0)) * S;
  p.noise.state.random.push_back(bounded_noise(
      "sum of the state", {}, {}, over_tokens.error(Matrix(p.x.K_to_end.cwiseAbs().transpose()), U) + carried));
}

// An error d_i of each G_i, from the scan and the product with log2 e (docs/advisory.md, 2): with D = Diag(d),
// o moves by D o - scale P T D (b v), the state by d_C S' - K~^T T D (b v). In o, row i and the rows below it
// are kept apart; twice the sum of the squares of two terms bounds the square of their sum.
void scan(NoiseParts& p) {
  const Matrix d = (std::sqrt(2.0) * gamma_n(p.f.gates.scan_depth + 1, u32)) * p.c.in.decay.size;
  const Matrix D = d.col(0).asDiagonal();
  const Matrix o = p.x.scale * (scaled_rows(p.x.from_start, p.x.Q * p.x.S) + p.x.P * p.x.U);
  const Matrix written = p.c.in.residual ? p.x.RV : p.x.U;
  const Matrix T = p.c.in.residual ? p.x.T : Matrix::Identity(p.c.C, p.c.C);
  const Matrix R = p.to_o(T), of_itself = R.diagonal();
  p.noise.o.random.push_back(bounded_noise("scan, read", {}, o - scaled_rows(of_itself, written), D));
  p.noise.o.random.push_back(bounded_noise("scan, written", strictly_lower(R), written, D));
  const Matrix next = p.x.from_start(p.c.C - 1, 0) * p.x.S + p.to_state(p.x.U);
  p.noise.state.worst += d(p.c.C - 1, 0) * next.cwiseAbs();  // one error for all elements: nothing averages out
  p.noise.state.random.push_back(bounded_noise("scan, written", p.to_state(T), written, D));
}

}  // namespace

void add_fp32_noise(NoiseParts& p) {
  if (p.c.in.residual) sums_of_values(p);
  sums_of_outputs(p);
  scan(p);
}

}  // namespace deltaproof
