#pragma once

#include <vector>

#include "reference/rules/inputs.hpp"
#include "reference/rules/softmax.hpp"

namespace deltaproof {

/// Rule `gsa` (gated slot attention): M slots with a decay a_t[m] in (0, 1] each,
///   K~_t = Diag(a_t) K~_{t-1} + (1 - a_t) k_t^T,   V~_t = Diag(a_t) V~_{t-1} + (1 - a_t) v_t^T,
///   o_t = V~_t^T softmax(scale K~_t q_t).
/// The scale belongs to the logits, as in softmax attention. `slot_keys` (M x K) and `slot_values`
/// (M x V) in and out, `o` tokens x V. `observe(t, slot_keys, slot_values, logits, weights)` after
/// each token, the last two of M values. Throws InputError if a tensor has the wrong shape.
template <Scalar R, class Observe>
void gated_slots(const HeadInputs& head, R* slot_keys, R* slot_values, R* o, Observe&& observe) {
  const Index K = head.K, V = head.V, M = head.slots;
  require_shape(head.q, head.tokens, K, "q", "gsa");
  require_shape(head.k, head.tokens, K, "k", "gsa");
  require_shape(head.v, head.tokens, V, "v", "gsa");
  require_shape(head.slot_decay, head.tokens, M, "a", "gsa");
  const std::vector<R> q = queries<R>(head), k = keys<R>(head), v = elements<R>(head.v);
  const R scale(head.options.scale);
  for (Index t = 0; t < head.tokens; ++t) {
    std::vector<R> logits;
    for (Index m = 0; m < M; ++m) {
      const R a(head.slot_decay(t, m));
      const R fresh = R(1) - a;
      R dot(0);
      for (Index i = 0; i < K; ++i) {
        R& s = slot_keys[m * K + i];
        s = a * s + fresh * k[t * K + i];
        dot += s * q[t * K + i];
      }
      for (Index c = 0; c < V; ++c) {
        R& s = slot_values[m * V + c];
        s = a * s + fresh * v[t * V + c];
      }
      logits.push_back(dot * scale);
    }
    std::vector<R> weights = logits;
    softmax_in_place(weights, std::nullopt);
    weighted_rows(weights, slot_values, V, o + t * V);
    observe(t, static_cast<const R*>(slot_keys), static_cast<const R*>(slot_values), logits,
            weights);
  }
}

}  // namespace deltaproof
