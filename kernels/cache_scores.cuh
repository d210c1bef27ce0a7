#pragma once

#include "kernels/cache_common.cuh"

namespace deltaproof {

/// Score of a token of a value head, by a warp: HOLA paper, Eqs. 5 and 6, and its ablations. `row`
/// among the B T tokens, `t` from the start of its sequence.
template <class E>
__device__ float token_score(const HolaCall& hola, std::int64_t row, std::int64_t head, std::int64_t t) {
  const KernelCall& call = hola.state;
  const std::int64_t value = row * call.HV + head;
  const int K = static_cast<int>(call.K), V = static_cast<int>(call.V);
  if (hola.score == CallScore::recency) return static_cast<float>(t);
  if (hola.score == CallScore::beta_e || hola.score == CallScore::e) return sqrtf(square_sum(call.u + value * V, V));
  const float n = square_sum(key_row<E>(call, call.k, row, head), K);
  float length = sqrtf(n);  // of the key as it is written
  if (call.normalise_k) length = length * norm_factor(n, call.l2norm_eps);
  if (hola.score == CallScore::write_norm) {
    const float written = sqrtf(square_sum(call.u + value * V, V));
    return length == 0.0f ? 0.0f : written * length;  // a zero key writes nothing, though `written` may have overflowed
  }
  const float w = call.write == nullptr ? 1.0f : number_at(call.write, call.write_type, value);
  const float b = write_coefficient(call, w, length * length);
  return fabsf(b) * sqrtf(square_sum(value_row<E>(call, row, head), V));
}

/// Warps: tokens x value heads.
template <class E>
__global__ void __launch_bounds__(cache_threads) cache_scores(HolaCall hola) {
  const KernelCall& call = hola.state;
  const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * cache_warps + warp_number();
  if (item >= call.B * call.T * call.HV) return;
  const TokenPlace place = token_place(call, item / call.HV);
  if (place.t < 0) return;
  const float score = token_score<E>(hola, item / call.HV, item % call.HV, place.t);
  if (warp_lane() == 0) hola.scores[item] = score;
}

}  // namespace deltaproof
