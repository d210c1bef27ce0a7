#pragma once

#include "kernels/cache_common.cuh"

namespace deltaproof {

/// One query's softmax over what it sees and the null sink, entry by entry, by a warp: lane l holds
/// channels l, l + 32,
/// .. of the query and of the sum of values.
template <class E>
struct CacheQuery {
  static constexpr int channels = 256 / warp_size;  ///< of a lane, at most

  const int K, V;
  float x[channels];    ///< query times gammas and logit scale
  float sum[channels];  ///< of exp2(z - m) v
  float m, Z;           ///< largest logit so far; sum of exp2(z - m)

  /// The sink alone.
  __device__ CacheQuery(const HolaCall& hola, const E* q, std::int64_t head)
      : K(static_cast<int>(hola.state.K)), V(static_cast<int>(hola.state.V)) {
    const float factor = row_factor(hola, q);
#pragma unroll
    for (int c = 0; c < channels; ++c) {
      const int i = warp_lane() + warp_size * c;
      x[c] = sum[c] = 0;
      if (i >= K) continue;
      x[c] = simt::to_float(q[i]) * factor;
      if (hola.read == CallRead::rmsnorm) {
        x[c] = x[c] * number_at(hola.gamma_q, hola.gamma_q_type, head * K + i);
        x[c] = x[c] * number_at(hola.gamma_k, hola.gamma_k_type, head * K + i);
      }
      x[c] = x[c] * hola.logit_scale;
    }
    m = number_at(hola.sink, hola.sink_type, head);
    Z = 1;
  }

  /// One entry: key and value as they were handed in, and the key's factor.
  __device__ void add(const E* k, const E* v, float factor) {
    float s = 0;
#pragma unroll
    for (int c = 0; c < channels; ++c) {
      const int i = warp_lane() + warp_size * c;
      if (i < K) s = fmaf(x[c], simt::to_float(k[i]), s);
    }
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
      s = s + __shfl_xor_sync(all_lanes, s, distance);
    }
    const float z = s * factor, top = fmaxf(m, z);
    const float r = simt::exp2_approx((m - top) * log2e), p = simt::exp2_approx((z - top) * log2e);
    Z = fmaf(Z, r, p);
#pragma unroll
    for (int c = 0; c < channels; ++c) {
      const int i = warp_lane() + warp_size * c;
      if (i < V) sum[c] = fmaf(sum[c], r, p * simt::to_float(v[i]));
    }
    m = top;
  }

  /// o = o of the state + sigmoid(gate) read, for one of the B T tokens. A closed gate leaves o
  /// untouched.
  __device__ void write(const HolaCall& hola, std::int64_t row, std::int64_t head) const {
    const std::int64_t first = (row * hola.state.HV + head) * V;
    const float gate = number_at(hola.gate, hola.gate_type, head);
    const float s = 1.0f / (1.0f + simt::exp2_approx(-gate * log2e));
    E* o = static_cast<E*>(hola.state.o) + first;
#pragma unroll
    for (int c = 0; c < channels; ++c) {
      const int i = warp_lane() + warp_size * c;
      if (i >= V) continue;
      const float read = sum[c] / Z;
      if (hola.cache_o != nullptr) hola.cache_o[first + i] = read;
      if (s != 0) o[i] = simt::from_float<E>(fmaf(s, read, simt::to_float(o[i])));
    }
  }
};

/// Warps: tokens x key heads.
template <class E>
__global__ void __launch_bounds__(cache_threads) cache_key_factors(HolaCall hola) {
  const KernelCall& call = hola.state;
  const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * cache_warps + warp_number();
  if (item >= call.B * call.T * call.H || token_place(call, item / call.H).t < 0) return;
  const float factor = row_factor(hola, static_cast<const E*>(call.k) + item * call.K);
  if (warp_lane() == 0) hola.key_factors[item] = factor;
}

/// Warps: tokens x value heads. Entries: the block's row of `selected` in its order, then tokens of
/// the block.
template <class E>
__global__ void __launch_bounds__(cache_threads) cache_read(HolaCall hola) {
  const KernelCall& call = hola.state;
  const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * cache_warps + warp_number();
  if (item >= call.B * call.T * call.HV) return;
  const std::int64_t row = item / call.HV, head = item % call.HV;
  const TokenPlace place = token_place(call, row);
  if (place.t < 0) return;
  CacheQuery<E> query(hola, key_row<E>(call, call.q, row, head), head);
  const auto add = [&](std::int64_t token) {
    const std::int64_t at = place.sequence.first + token;
    query.add(key_row<E>(call, call.k, at, head), value_row<E>(call, at, head),
              hola.key_factors[at * call.H + key_head(call, head)]);
  };
  const std::int64_t block = place.t / hola.C;
  const std::int32_t* cache = hola.selected + (selected_row(hola, place.n, block) * call.HV + head) * hola.w;
  for (int i = 0; i < hola.w; ++i) {
    if (cache[i] >= 0) add(cache[i]);
  }
  if (hola.read_block) {
    for (std::int64_t token = block * hola.C; token <= place.t; ++token) add(token);
  }
  query.write(hola, row, head);
}

}  // namespace deltaproof
