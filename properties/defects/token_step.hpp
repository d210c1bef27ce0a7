#pragma once

#include "reference/problem/matrix.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {

// One token of the update family in double (docs/semantics.md), each tensor operation's result put through `round`.

/// S_{t-1} to S_t: decay, residual, write.
template <class Round>
void write_token(const Steps<double>& steps, Index t, Matrix& S, const Round& round) {
  const double* k = steps.k.data() + t * steps.K;
  const double* v = steps.v.data() + t * steps.V;
  const double* alpha = steps.alpha.data() + (steps.decay == Decay::per_channel ? t * steps.K : t);
  RowVector read = RowVector::Zero(steps.V);
  for (Index i = 0; i < steps.K; ++i) {
    for (Index j = 0; steps.decay != Decay::none && j < steps.V; ++j) {
      S(i, j) = round(S(i, j) * alpha[steps.decay == Decay::per_channel ? i : 0]);
    }
    read += k[i] * S.row(i);
  }
  RowVector u(steps.V);
  for (Index j = 0; j < steps.V; ++j) {
    const double e = steps.residual ? round(v[j] - round(read(j))) : v[j];
    u(j) = round(steps.b[static_cast<std::size_t>(t)] * e);
  }
  for (Index i = 0; i < steps.K; ++i) {
    for (Index j = 0; j < steps.V; ++j) S(i, j) = round(S(i, j) + round(k[i] * u(j)));
  }
}

/// o_t = scale S_t^T q_t.
template <class Round>
RowVector read_token(const Steps<double>& steps, Index t, const Matrix& S, const Round& round) {
  const double* q = steps.q.data() + t * steps.K;
  RowVector read = RowVector::Zero(steps.V);
  for (Index i = 0; i < steps.K; ++i) read += q[i] * S.row(i);
  for (Index j = 0; j < steps.V; ++j) read(j) = round(steps.scale * round(read(j)));
  return read;
}

}  // namespace deltaproof
