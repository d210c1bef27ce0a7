#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "reference/rules/inputs.hpp"

namespace deltaproof {

/// Weights exp(z_j) / sum exp(z_j) of `z`, in place, with an optional sink: a further logit whose
/// value is zero, so that its weight is missing from the sum. Returns the shift subtracted from all
/// logits (near their maximum): the shift is a double and cancels exactly, so it need not be the
/// maximum itself, which an interval may not have.
template <Scalar R>
double softmax_in_place(std::vector<R>& z, const std::optional<double>& sink) {
  using std::exp;
  double shift = sink ? *sink : -std::numeric_limits<double>::infinity();
  for (const R& x : z) shift = std::max(shift, to_double(x));
  R sum(0);
  if (sink) sum = exp(R(*sink) - R(shift));
  for (R& x : z) {
    x = exp(x - R(shift));
    sum += x;
  }
  for (R& x : z) x /= sum;
  return shift;
}

/// sum_j weights[j] rows[j, :], `width` values.
template <Scalar R>
void weighted_rows(const std::vector<R>& weights, const R* rows, Index width, R* out) {
  for (Index c = 0; c < width; ++c) out[c] = R(0);
  for (std::size_t j = 0; j < weights.size(); ++j)
    for (Index c = 0; c < width; ++c)
      out[c] += weights[j] * rows[static_cast<Index>(j) * width + c];
}

/// Rule `softmax`: causal attention, o_t = sum_{j <= t} softmax(scale q_t . k_j)_j v_j, with the
/// head's optional null sink. `o` is tokens x V. `observe(t, logits, weights)` after each token,
/// both of t + 1 values. Throws InputError if a tensor has the wrong shape.
template <Scalar R, class Observe>
void softmax_attention(const HeadInputs& head, R* o, Observe&& observe) {
  const Index K = head.K, V = head.V;
  require_shape(head.q, head.tokens, K, "q", "softmax");
  require_shape(head.k, head.tokens, K, "k", "softmax");
  require_shape(head.v, head.tokens, V, "v", "softmax");
  const std::vector<R> q = queries<R>(head), k = keys<R>(head), v = elements<R>(head.v);
  const R scale(head.options.scale);
  for (Index t = 0; t < head.tokens; ++t) {
    std::vector<R> logits;
    for (Index j = 0; j <= t; ++j) {
      R dot(0);
      for (Index i = 0; i < K; ++i) dot += q[t * K + i] * k[j * K + i];
      logits.push_back(dot * scale);
    }
    std::vector<R> weights = logits;
    softmax_in_place(weights, head.sink);
    weighted_rows(weights, v.data(), V, o + t * V);
    observe(t, logits, weights);
  }
}

}  // namespace deltaproof
