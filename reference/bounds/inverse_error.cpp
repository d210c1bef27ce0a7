#include "reference/bounds/inverse_error.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

constexpr Index tile = inverse_tile;

// Relative error of rounding a normal number.
double largest_relative_error(const Rounding& rounding) {
  if (rounding.mode == Rounding::Mode::exact) return 0;
  return (rounding.mode == Rounding::Mode::truncated ? 2 : 1) * unit_roundoff(rounding.format);
}

// The first-order part that every algorithm shares: the exact inverse of the perturbed matrix.
InverseError from_perturbed_input(const Approximate& L, const Matrix& T) {
  InverseError result;
  const Matrix size = T.cwiseAbs();
  result.input_left = size * L.error;
  result.input_spread = result.input_left;
  result.from_input = neumann_sum(result.input_spread, result.input_left * size);
  result.algorithm = Matrix::Zero(T.rows(), T.cols());
  return result;
}

// What the operations of a substitution lose among subnormal numbers: n of them an element, below the unit diagonal.
// Where all of L is zero nothing is lost.
Matrix underflow(const Matrix& L_size) {
  Matrix lost = Matrix::Zero(L_size.rows(), L_size.cols());
  if (L_size.isZero(0)) return lost;
  lost.triangularView<Eigen::StrictlyLower>().setConstant(static_cast<double>(L_size.rows()) * 0x1p-149);
  return lost;
}

// The same for each diagonal block.
Matrix underflow_of_blocks(const Matrix& L_size) {
  Matrix lost = Matrix::Zero(L_size.rows(), L_size.cols());
  for (Index b = 0; b < L_size.rows(); b += tile) {
    const Index n = std::min(tile, L_size.rows() - b);
    lost.block(b, b, n, n) = underflow(L_size.block(b, b, n, n));
  }
  return lost;
}

}  // namespace

Matrix block_diagonal(const Matrix& m) {
  Matrix result = Matrix::Zero(m.rows(), m.cols());
  for (Index b = 0; b < m.rows(); b += tile) {
    const Index n = std::min(tile, m.rows() - b);
    result.block(b, b, n, n) = m.block(b, b, n, n);
  }
  return result;
}

Matrix unit_lower_inverse(const Matrix& strictly_lower) {
  const Index n = strictly_lower.rows();
  Matrix x = Matrix::Identity(n, n);
  for (Index i = 1; i < n; ++i) {
    x.row(i).head(i) -= strictly_lower.row(i).head(i) * x.topLeftCorner(i, i);
  }
  return x;
}

Matrix neumann_sum(const Matrix& strictly_lower, const Matrix& y) {
  Matrix z = y;
  for (Index i = 1; i < z.rows(); ++i) {
    z.row(i) += strictly_lower.row(i).head(i) * z.topRows(i);
  }
  return z;
}

InverseError substitution_error(const Approximate& L, const Matrix& T) {
  InverseError result = from_perturbed_input(L, T);
  // M^ X = I + R, |R| <= gamma |L^| |X| + F with gamma for C products and C additions in any order and F for what
  // underflows, so |X - M^^{-1}| <= |M^^{-1}| (gamma |L^| |X| + F), summed exactly.
  const double gamma = gamma_n(static_cast<double>(T.rows()) + 1, u32);
  const Matrix inverse = T.cwiseAbs() + result.from_input;
  const Matrix L_size = L.size();
  const Matrix spread = gamma * (inverse * L_size);
  result.algorithm = neumann_sum(spread, spread * inverse + inverse * underflow(L_size));
  return result;
}

InverseError merged_inverse_error(const Approximate& L, const Matrix& T, const DotError& accumulation,
                                  const Rounding& rounding) {
  const Index C = T.rows();
  InverseError result = from_perturbed_input(L, T);
  const Matrix inverse = T.cwiseAbs() + result.from_input;  // of |(I + L^)^{-1}|
  const Matrix L_size = L.size();
  const Matrix off_diagonal = block_diagonal(L_size);
  const Matrix N = L_size - off_diagonal;

  // |T^ D^|: the signed product T D, and what the perturbation of L adds to it.
  const Matrix D = block_diagonal(Matrix::Identity(C, C) + L.exact);
  const Matrix TD = (T * D).cwiseAbs() + result.from_input * D.cwiseAbs() +
                    inverse * block_diagonal(L.error);

  // Diagonal blocks: substitution in fp32 with sums of up to 17 terms.
  const double gamma = gamma_n(tile + 1, u32);
  const Matrix diagonal_inverse = block_diagonal(inverse);
  const Matrix spread = gamma * (diagonal_inverse * off_diagonal);
  const Matrix own = spread * diagonal_inverse + diagonal_inverse * underflow_of_blocks(off_diagonal);
  const Matrix diagonal_error = block_diagonal(neumann_sum(spread, own));
  const Matrix X_diagonal = diagonal_inverse + diagonal_error;

  Matrix X = X_diagonal;                     // |X^| as far as it is known
  Matrix operand = rounding.error(X_diagonal);   // rounding of X as an operand; the unit diagonal is exact
  operand.diagonal().setZero();
  const Matrix diagonal_operand = operand;
  Matrix N_operand = N;
  for (Index i = 0; i < N.size(); ++i) {
    if (N.data()[i] > 0) N_operand.data()[i] += rounding.error(N.data()[i]);
  }
  const double growth = (1 + accumulation.relative) * (1 + accumulation.relative) * (1 + largest_relative_error(rounding));

  Matrix& error = result.algorithm;
  error = diagonal_error;
  Matrix local = Matrix::Zero(C, C);  // |mu|: one merge's own error, and what the diagonal's adds
  for (Index j = 0; j < C; j += tile) {
    const Index nj = std::min(tile, C - j);
    for (Index i = j + tile; i < C; i += tile) {
      const Index ni = std::min(tile, C - i);
      const Index k = i - j;  // columns j .. i-1 of the row of blocks
      const Matrix Y = N.block(i, j, ni, k) * X.block(j, j, k, nj);
      const Matrix Y_rounded = N_operand.block(i, j, ni, k) *
                               (X.block(j, j, k, nj) + operand.block(j, j, k, nj));
      const Matrix Xi = X_diagonal.block(i, i, ni, ni);
      Matrix mu = (Xi + diagonal_operand.block(i, i, ni, ni)) * Y_rounded * growth - Xi * Y;
      mu += diagonal_error.block(i, i, ni, ni) * Y;
      mu.array() += (accumulation.floor + static_cast<double>(C) * 0x1p-149) *
                    (1 + Xi.sum()) * (1 + N.sum()) * (1 + X.maxCoeff());
      local.block(i, j, ni, nj) = mu;

      Matrix e = mu + TD.block(i, j, ni, nj) * diagonal_error.block(j, j, nj, nj);
      for (Index l = j + tile; l < i; l += tile) {
        const Index nl = std::min(tile, C - l);
        e += TD.block(i, l, ni, nl) * local.block(l, j, nl, nj);
      }
      error.block(i, j, ni, nj) = e;
      X.block(i, j, ni, nj) = inverse.block(i, j, ni, nj) + e;
      operand.block(i, j, ni, nj) = rounding.error(Matrix(X.block(i, j, ni, nj)));
    }
  }
  return result;
}

}  // namespace deltaproof
