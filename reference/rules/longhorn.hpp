#pragma once

#include <vector>

#include "reference/rules/inputs.hpp"

namespace deltaproof {

/// Rule `longhorn`: the published model, a diagonal approximation of longhorn_exact with beta for
/// each value channel. d_t[j] = beta_t[j] / (1 + beta_t[j] |k_t|^2),
///   S_t[i,j] = (1 - d_t[j] k_t[i]^2) S_{t-1}[i,j] + d_t[j] v_t[j] k_t[i],   o_t = scale S_t^T q_t.
/// `state` (K x V) in and out, `o` tokens x V. `observe(t, state)` after each token.
/// Throws InputError if a tensor has the wrong shape.
template <Scalar R, class Observe>
void longhorn(const HeadInputs& head, R* state, R* o, Observe&& observe) {
  const Index K = head.K, V = head.V;
  require_shape(head.q, head.tokens, K, "q", "longhorn");
  require_shape(head.k, head.tokens, K, "k", "longhorn");
  require_shape(head.v, head.tokens, V, "v", "longhorn");
  require_shape(head.write, head.tokens, V, "beta", "longhorn");
  const std::vector<R> q = queries<R>(head), k = keys<R>(head);
  const R scale(head.options.scale);
  for (Index t = 0; t < head.tokens; ++t) {
    const R* key = k.data() + t * K;
    const R key_square = square_sum(key, K);
    for (Index j = 0; j < V; ++j) {
      const R beta(head.write(t, j)), v(head.v(t, j));
      const R d = beta / (R(1) + beta * key_square);
      const R write = d * v;
      R read(0);
      for (Index i = 0; i < K; ++i) {
        R& s = state[i * V + j];
        s = (R(1) - d * (key[i] * key[i])) * s + write * key[i];
        read += s * q[t * K + i];
      }
      o[t * V + j] = read * scale;
    }
    observe(t, static_cast<const R*>(state));
  }
}

}  // namespace deltaproof
