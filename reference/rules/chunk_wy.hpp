#pragma once

#include <algorithm>
#include <vector>

#include "reference/rules/steps.hpp"

namespace deltaproof {

/// The chunk (WY) form of the update family, equations (7)-(9) of the semantics page: a second
/// route to the answer of `recurrence`. It shares q, k, v, b and scale with it, nothing else:
/// decays enter as sums of log gates, ratios as exp(G_i - G_j) and never as quotients, U comes from
/// a triangular solve.
///
///   [I + B (A^- o K K^T)] U = B (V - D_gamma K S0)                (7)
///   O = scale (D_gamma Q S0 + (A o Q K^T) U)                      (8)
///   S_out = gamma_C S0 + K^T Diag(gamma_C/gamma_1 .. 1) U         (9)
///
/// With per-channel decay gamma is a vector over key channels: each product k_i . k_j carries
/// exp(G_i[c] - G_j[c]) inside its sum. Without residual (r = 0) U = B V.
template <Scalar R>
struct ChunkForm {
  std::vector<R> o;                    ///< tokens x V
  std::vector<R> u;                    ///< tokens x V: u_t = b_t e_t
  std::vector<std::vector<R>> states;  ///< K x V after each chunk; a partial last chunk counts
};

/// Log decays of every token: tokens x 1 or tokens x K; zeros (tokens x 1) without decay.
template <Scalar R>
std::vector<R> log_gates(const HeadInputs& head) {
  using std::log;
  std::vector<R> g;
  if (head.options.rule == Rule::kla && head.options.variant == KlaVariant::single_gate) {
    for (Index t = 0; t < head.tokens; ++t)
      g.push_back(log(kla_single_gate_decay<R>(head.write(t, 0))));
  } else if (update_family_decay(head) == Decay::none) {
    g.assign(static_cast<std::size_t>(head.tokens), R(0));
  } else {
    g = elements<R>(head.g);
  }
  return g;
}

namespace chunk_detail {

/// One chunk: rows [begin, begin + C) of the steps. G is C x width, summed within the chunk.
template <Scalar R>
struct Chunk {
  const Steps<R>& steps;
  Index begin = 0, C = 0;
  Index width = 1;  ///< 1, or K with per-channel decay
  std::vector<R> G;

  const R* k(Index i) const { return steps.k.data() + (begin + i) * steps.K; }
  const R* q(Index i) const { return steps.q.data() + (begin + i) * steps.K; }
  const R* v(Index i) const { return steps.v.data() + (begin + i) * steps.V; }
  const R& b(Index i) const { return steps.b[static_cast<std::size_t>(begin + i)]; }

  /// exp(G_i - G_j) for each channel of width; j = -1 stands for the chunk's start, G = 0.
  std::vector<R> ratio(Index i, Index j) const {
    using std::exp;
    std::vector<R> result;
    for (Index c = 0; c < width; ++c)
      result.push_back(exp(j < 0 ? G[i * width + c] : G[i * width + c] - G[j * width + c]));
    return result;
  }

  /// sum over channels of x[c] y[c ystride] ratio[c].
  R weighted_dot(const R* x, const R* y, Index y_stride, const std::vector<R>& ratio) const {
    R sum(0);
    if (width == 1) {
      for (Index c = 0; c < steps.K; ++c) sum += x[c] * y[c * y_stride];
      return sum * ratio[0];
    }
    for (Index c = 0; c < steps.K; ++c) sum += x[c] * ratio[c] * y[c * y_stride];
    return sum;
  }
};

template <Scalar R>
Chunk<R> make_chunk(const Steps<R>& steps, const std::vector<R>& g, Index begin, Index C) {
  Chunk<R> chunk{steps, begin, C, steps.decay == Decay::per_channel ? steps.K : 1, {}};
  for (Index i = 0; i < C; ++i)
    for (Index c = 0; c < chunk.width; ++c) {
      R sum = g[(begin + i) * chunk.width + c];
      if (i > 0) sum += chunk.G[(i - 1) * chunk.width + c];
      chunk.G.push_back(sum);
    }
  return chunk;
}

/// A o X K^T: C x C, zero above the diagonal (masked before the exponent is formed).
template <Scalar R>
std::vector<R> decayed_gram(const Chunk<R>& chunk, bool of_queries) {
  std::vector<R> gram(static_cast<std::size_t>(chunk.C * chunk.C), R(0));
  for (Index i = 0; i < chunk.C; ++i)
    for (Index j = 0; j <= i; ++j)
      gram[i * chunk.C + j] = chunk.weighted_dot(of_queries ? chunk.q(i) : chunk.k(i), chunk.k(j),
                                                 1, chunk.ratio(i, j));
  return gram;
}

/// D_gamma X S0 for row i of X: V values.
template <Scalar R>
std::vector<R> from_start(const Chunk<R>& chunk, const R* x, Index i, const std::vector<R>& S0) {
  const std::vector<R> gamma = chunk.ratio(i, -1);
  std::vector<R> row;
  for (Index c = 0; c < chunk.steps.V; ++c)
    row.push_back(chunk.weighted_dot(x, S0.data() + c, chunk.steps.V, gamma));
  return row;
}

/// (7), by forward substitution.
template <Scalar R>
std::vector<R> solve_u(const Chunk<R>& chunk, const std::vector<R>& S0) {
  const Index V = chunk.steps.V;
  std::vector<R> U;
  if (!chunk.steps.residual) {
    for (Index i = 0; i < chunk.C; ++i)
      for (Index c = 0; c < V; ++c) U.push_back(chunk.b(i) * chunk.v(i)[c]);
    return U;
  }
  const std::vector<R> gram = decayed_gram(chunk, false);
  for (Index i = 0; i < chunk.C; ++i) {
    const std::vector<R> start = from_start(chunk, chunk.k(i), i, S0);
    for (Index c = 0; c < V; ++c) {
      R x = chunk.v(i)[c] - start[c];
      for (Index j = 0; j < i; ++j) x -= gram[i * chunk.C + j] * U[j * V + c];
      U.push_back(chunk.b(i) * x);
    }
  }
  return U;
}

/// (8).
template <Scalar R>
void read_out(const Chunk<R>& chunk, const std::vector<R>& S0, const std::vector<R>& U,
              std::vector<R>& o) {
  const Index V = chunk.steps.V;
  const std::vector<R> P = decayed_gram(chunk, true);
  for (Index i = 0; i < chunk.C; ++i) {
    const std::vector<R> start = from_start(chunk, chunk.q(i), i, S0);
    for (Index c = 0; c < V; ++c) {
      R x = start[c];
      for (Index j = 0; j <= i; ++j) x += P[i * chunk.C + j] * U[j * V + c];
      o.push_back(chunk.steps.scale * x);
    }
  }
}

/// (9).
template <Scalar R>
std::vector<R> state_out(const Chunk<R>& chunk, const std::vector<R>& S0, const std::vector<R>& U) {
  const Index V = chunk.steps.V, last = chunk.C - 1;
  std::vector<R> S = S0;
  const std::vector<R> gamma = chunk.ratio(last, -1);
  for (Index i = 0; i < chunk.steps.K; ++i)
    for (Index c = 0; c < V; ++c) S[i * V + c] *= gamma[chunk.width == 1 ? 0 : i];
  for (Index j = 0; j <= last; ++j) {
    const std::vector<R> ratio = chunk.ratio(last, j);
    for (Index i = 0; i < chunk.steps.K; ++i) {
      const R weight = chunk.k(j)[i] * ratio[chunk.width == 1 ? 0 : i];
      for (Index c = 0; c < V; ++c) S[i * V + c] += weight * U[j * V + c];
    }
  }
  return S;
}

}  // namespace chunk_detail

/// The whole head, chunk by chunk, from its initial state. Throws InputError for a rule outside the
/// family.
template <Scalar R>
ChunkForm<R> chunk_wy(const HeadInputs& head, Index chunk_size) {
  using namespace chunk_detail;
  const Steps<R> steps = make_steps<R>(head);
  const std::vector<R> g = log_gates<R>(head);
  ChunkForm<R> result;
  std::vector<R> S = elements<R>(head.initial_state);
  for (Index begin = 0; begin < head.tokens; begin += chunk_size) {
    const Chunk<R> chunk = make_chunk(steps, g, begin, std::min(chunk_size, head.tokens - begin));
    const std::vector<R> U = solve_u(chunk, S);
    read_out(chunk, S, U, result.o);
    S = state_out(chunk, S, U);
    result.u.insert(result.u.end(), U.begin(), U.end());
    result.states.push_back(S);
  }
  return result;
}

}  // namespace deltaproof
