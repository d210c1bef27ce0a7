#pragma once

#include <vector>

#include "reference/problem/input_error.hpp"
#include "reference/rules/inputs.hpp"

namespace deltaproof {

// One step of the delta rules seen as an optimisation problem, from the decayed state S~
// (semantics, 'Projection and proximal forms'; KLA paper, Eqs. 1, 2, 4, 5, Proposition 1 and
// Theorem 1). States are K x V, row-major.

/// One write's data: the decayed state, the key and the value.
template <Scalar R>
struct WriteStep {
  Index K = 0, V = 0;
  std::vector<R> decayed;  ///< S~
  std::vector<R> k, v;
};

/// e = v - S~^T k.
template <Scalar R>
std::vector<R> residual(const WriteStep<R>& step) {
  std::vector<R> e = step.v;
  for (Index c = 0; c < step.V; ++c)
    for (Index i = 0; i < step.K; ++i) e[c] -= step.decayed[i * step.V + c] * step.k[i];
  return e;
}

/// S~ + tau k e^T.
template <Scalar R>
std::vector<R> written(const WriteStep<R>& step, const R& tau) {
  const std::vector<R> e = residual(step);
  std::vector<R> S = step.decayed;
  for (Index i = 0; i < step.K; ++i)
    for (Index c = 0; c < step.V; ++c) S[i * step.V + c] += tau * step.k[i] * e[c];
  return S;
}

/// argmin 1/2 |S - S~|_F^2 subject to S^T k = v: S~ + k e^T / |k|^2.
/// Throws InputError for k = 0, where no S meets the constraint (or, for v = 0, every S does).
template <Scalar R>
std::vector<R> projection(const WriteStep<R>& step) {
  const R key_square = square_sum(step.k.data(), step.K);
  if (may_be_zero(key_square))
    throw InputError("the projection onto S^T k = v is undefined for a zero key");
  return written(step, R(R(1) / key_square));
}

/// Loss along the line S~ + tau k e^T: L(tau) = 1/2 (1 - tau |k|^2)^2 |e|^2.
template <Scalar R>
R line_search_loss(const R& tau, const R& key_square, const R& residual_square) {
  const R factor = R(1) - tau * key_square;
  return factor * factor * residual_square / R(2);
}

/// Minimiser of the loss along that line.
template <Scalar R>
struct LineSearch {
  R tau{};                  ///< 1 / |k|^2
  bool degenerate = false;  ///< e = 0: every tau gives the same state and `tau` is one of them
};

/// Throws InputError for k = 0, where the line is a point.
template <Scalar R>
LineSearch<R> line_search(const WriteStep<R>& step) {
  const R key_square = square_sum(step.k.data(), step.K);
  if (may_be_zero(key_square))
    throw InputError("the line search along k e^T is undefined for a zero key");
  const std::vector<R> e = residual(step);
  return {R(R(1) / key_square), may_be_zero(square_sum(e.data(), step.V))};
}

/// Weight of the proximal problem min 1/2 |S - S~|_F^2 + mu/2 |S^T k - v|^2 whose solution is KLA's
/// step: mu = eta / ((1 - eta) |k|^2 + eps). Throws InputError where mu is infinite (eta = 1, eps =
/// 0): there only the limit holds, which is the projection.
template <Scalar R>
R proximal_weight(const R& eta, const R& key_square, const R& eps) {
  const R denominator = (R(1) - eta) * key_square + eps;
  if (may_be_zero(denominator))
    throw InputError(
        "the proximal weight mu is infinite at eta = 1, eps = 0 (or k = 0, eps = 0): "
        "only its limit, the projection, exists");
  return eta / denominator;
}

/// Coefficient of the proximal problem's solution S~ + b k e^T: b = mu / (1 + mu |k|^2).
template <Scalar R>
R proximal_coefficient(const R& mu, const R& key_square) {
  return mu / (R(1) + mu * key_square);
}

/// KLA's residual law: e+ = (1 - eta |k|^2 / (|k|^2 + eps)) e; this is the factor.
template <Scalar R>
R residual_factor(const R& eta, const R& key_square, const R& eps) {
  return R(1) - eta * key_square / (key_square + eps);
}

/// What another key k' reads back from the write: b (k . k') e.
template <Scalar R>
std::vector<R> interference(const WriteStep<R>& step, const R& b, const std::vector<R>& other_key) {
  R overlap(0);
  for (Index i = 0; i < step.K; ++i) overlap += step.k[i] * other_key[i];
  std::vector<R> change = residual(step);
  for (R& x : change) x *= b * overlap;
  return change;
}

}  // namespace deltaproof
