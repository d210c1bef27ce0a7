#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/runs/solve_check.hpp"
#include "reference/bounds/inverse_error.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {
namespace {

using Quad = boost::multiprecision::cpp_bin_float_quad;  // 113 bits
using QuadMatrix = std::vector<std::vector<Quad>>;

constexpr double u_quad = 0x1p-113;
constexpr double tiny = 0x1p-150;  // half the step of subnormal fp32 numbers
constexpr double outward = 1 + 0x1p-30;

Matrix strictly_lower(const SolveProblem& problem, std::int64_t index) {
  const Index C = problem.C;
  Matrix L = Matrix::Zero(C, C);
  for (Index i = 0; i < C; ++i) {
    for (Index j = 0; j < i; ++j) L(i, j) = problem.L[static_cast<std::size_t>((index * C + i) * C + j)];
  }
  return L;
}

Matrix right_hand_side(const SolveProblem& problem, std::int64_t index) {
  Matrix R(problem.C, problem.columns);
  for (Index i = 0; i < R.size(); ++i) R.data()[i] = problem.R[static_cast<std::size_t>(index * R.size() + i)];
  return R;
}

// Forward substitution in quadruple precision, rounded to double at the end.
Matrix substituted(const Matrix& L, const Matrix& R) {
  const Index n = L.rows();
  QuadMatrix X(static_cast<std::size_t>(n), std::vector<Quad>(static_cast<std::size_t>(R.cols())));
  Matrix result(n, R.cols());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < R.cols(); ++j) {
      Quad sum = R(i, j);
      for (Index r = 0; r < i; ++r)
        sum -= Quad(L(i, r)) * X[static_cast<std::size_t>(r)][static_cast<std::size_t>(j)];
      X[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = sum;
      result(i, j) = static_cast<double>(sum);
    }
  }
  return result;
}

// R - (I + L) X in quadruple precision, rounded to double at the end.
Matrix remainder(const Matrix& L, const Matrix& R, const Matrix& X) {
  Matrix result(R.rows(), R.cols());
  for (Index i = 0; i < R.rows(); ++i) {
    for (Index j = 0; j < R.cols(); ++j) {
      Quad sum = Quad(R(i, j)) - Quad(X(i, j));
      for (Index r = 0; r < i; ++r) sum -= Quad(L(i, r)) * Quad(X(r, j));
      result(i, j) = static_cast<double>(sum);
    }
  }
  return result;
}

// |T|, with what quadruple precision may have lost: (I + L) T^ = I + F, F strictly lower (T^ has a unit diagonal) and
// |F| <= gamma (|T^| + |L||T^|), so |T| <= |T^| (I - |F|)^{-1}, summed exactly.
Matrix inverse_size(const Matrix& T, const Matrix& L) {
  const Matrix size = T.cwiseAbs();
  Matrix residual = gamma_n(static_cast<double>(L.rows()), u_quad) * (size + L.cwiseAbs() * size);
  residual.diagonal().setZero();
  return outward * (size + size * neumann_sum(residual, residual));
}

// A size of which nothing is known, 0 times infinity, counts as infinite: a maximum would pass it over.
Matrix unknown_as_infinite(const Matrix& size) {
  return size.unaryExpr([](double x) { return std::isnan(x) ? std::numeric_limits<double>::infinity() : x; });
}

// Sizes of the partial sums of a substitution: |R| + |L| |X|, of this row and those above in the column.
Matrix largest_substituted(const Matrix& L, const Matrix& R, const Matrix& X, const Matrix& bound) {
  Matrix size = unknown_as_infinite(R.cwiseAbs() + L.cwiseAbs() * (X.cwiseAbs() + bound));
  for (Index i = 1; i < size.rows(); ++i) size.row(i) = size.row(i).cwiseMax(size.row(i - 1));
  return size;
}

// Of an inverse first those of its merges, |T||L||T| at most, which every element of X feels; then of |T^| |R|.
Matrix largest_inverted(const Matrix& inverse, const Matrix& L, const Matrix& R, const Matrix& bound) {
  const double merges = unknown_as_infinite(inverse * L.cwiseAbs() * inverse).maxCoeff();
  const double inverted = unknown_as_infinite(inverse).maxCoeff();
  return unknown_as_infinite(inverse * R.cwiseAbs() + bound).cwiseMax(std::max(merges, inverted));
}

// x_i is a chain of fma from R_i, so R = (I + L + dL) X^ with |dL| <= gamma_C (I + |L|), and X^ is off by
// |T| gamma_C (I + |L|) |X^|; each fma may also lose `tiny`.
Matrix substitution_bound(const Matrix& inverse, const Matrix& L, const Matrix& computed) {
  const auto n = static_cast<double>(L.rows());
  const Matrix size = computed.cwiseAbs();
  Matrix residual = gamma_n(n, u32) * (size + L.cwiseAbs() * size);
  residual.array() += n * tiny;
  return inverse * residual;
}

// X^ = T^ R in a chain of fma: what T^ is off by, and the chain.
Matrix blocked_bound(const Matrix& inverse, const Matrix& T, const Matrix& L, const Matrix& R) {
  const TensorCoreModel& fp32 = tensor_core("fp32_rn");
  const DotError chain(accumulation_error(fp32, Operand::tf32, inverse_tile * 3),
                       accumulation_floor(fp32, Operand::tf32, inverse_tile * 3, 1));
  const Matrix off = merged_inverse_error(exactly(L), T, chain, not_rounded).algorithm;
  const auto n = static_cast<double>(L.rows());
  Matrix bound = off * R.cwiseAbs() + gamma_n(n, u32) * ((inverse + off) * R.cwiseAbs());
  bound.array() += n * tiny;
  return bound;
}

}  // namespace

SolveAnswer solve_answer(const SolveProblem& problem, std::int64_t index, const Matrix& computed) {
  const Matrix L = strictly_lower(problem, index);
  const Matrix R = right_hand_side(problem, index);
  const Matrix T = substituted(L, Matrix::Identity(L.rows(), L.rows()));
  const Matrix inverse = inverse_size(T, L);
  SolveAnswer answer;
  answer.X = substituted(L, R);
  answer.bound = problem.blocked_inverse ? blocked_bound(inverse, T, L, R) : substitution_bound(inverse, L, computed);
  // The answer itself: its substitution in quadruple precision, and rounding to double.
  answer.bound += substitution_bound(inverse, L, answer.X) * 0x1p-80 + answer.X.cwiseAbs() * 0x1p-53;
  answer.bound *= outward;
  answer.largest = problem.blocked_inverse ? largest_inverted(inverse, L, R, answer.bound)
                                           : largest_substituted(L, R, answer.X, answer.bound);
  if (!answer.bound.allFinite()) answer.bound.setConstant(std::numeric_limits<double>::infinity());
  return answer;
}

SolveResidual solve_residual_of(const SolveProblem& problem, std::int64_t index, const Matrix& computed) {
  const Matrix L = strictly_lower(problem, index), R = right_hand_side(problem, index), size = computed.cwiseAbs();
  SolveResidual result{remainder(L, R, computed), Matrix()};
  const auto n = static_cast<double>(L.rows());
  const Matrix magnitudes = size + L.cwiseAbs() * size;
  if (problem.blocked_inverse) {
    // R - (I + L) X^ = (I + L)(X - X^).
    const Matrix T = substituted(L, Matrix::Identity(L.rows(), L.rows()));
    const Matrix off = blocked_bound(inverse_size(T, L), T, L, R);
    result.bound = off + L.cwiseAbs() * off;
  } else {
    result.bound = gamma_n(n, u32) * magnitudes;  // E X^ + f, see substitution_bound
    result.bound.array() += n * tiny;
  }
  // Of the residual itself: its sum in quadruple precision, and rounding to double.
  result.bound += gamma_n(n + 2, u_quad) * (R.cwiseAbs() + magnitudes) + result.residual.cwiseAbs() * 0x1p-53;
  result.bound *= outward;
  return result;
}

}  // namespace deltaproof
