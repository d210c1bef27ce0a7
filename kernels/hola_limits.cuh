#pragma once

#include <string>
#include <vector>

#include "kernels/common_run.cuh"
#include "kernels/hola_call.hpp"

/// What the kernels around HOLA's cache want of a call.
namespace deltaproof {

inline bool reads_u(CallScore score) {
  return score == CallScore::beta_e || score == CallScore::write_norm || score == CallScore::e;
}

/// Sizes of the cache and of the inputs.
inline void require_cache(const char* kernel, const HolaCall& hola) {
  require_shape(kernel, hola.state);
  require_between(kernel, "T", hola.state.T, 0, 2147483647);
  require_between(kernel, "K", hola.state.K, 1, 256);
  require_between(kernel, "V", hola.state.V, 1, 256);
  require_between(kernel, "w", hola.w, 0, 1024);
  require_between(kernel, "C", hola.C, 1, 1024);
}

/// Where the blocks of a sequence stand in `selected`.
inline void require_sets(const char* kernel, const HolaCall& hola) {
  if (hola.state.cu_seqlens != nullptr) {
    require_pointer(kernel, "first_blocks", hola.first_blocks);
  } else {
    const std::int64_t blocks = (hola.state.T + hola.C - 1) / hola.C;
    require(hola.blocks == blocks,
            std::string(kernel) + ": blocks is " + std::to_string(hola.blocks) + ", T has " + std::to_string(blocks));
  }
  if (hola.w > 0 && hola.state.N * hola.state.T > 0) require_pointer(kernel, "selected", hola.selected);
}

inline void require_score(const char* kernel, const HolaCall& hola) {
  require(hola.score >= CallScore::beta_e && hola.score <= CallScore::recency, std::string(kernel) + ": no such score");
  // From here on not every index is a number of fp32.
  if (hola.score == CallScore::recency) require_between(kernel, "T with score recency", hola.state.T, 0, 16777216);
  if (hola.state.N * hola.state.T == 0) return;
  require_pointer(kernel, "scores", hola.scores);
  if (reads_u(hola.score)) require_pointer(kernel, "u", hola.state.u);
  if (hola.score == CallScore::write_norm || hola.score == CallScore::beta_v) {
    require_pointer(kernel, "k", hola.state.k);
  }
  if (hola.score != CallScore::beta_v) return;
  require_pointer(kernel, "v", hola.state.v);
  const bool given = hola.state.coefficient == Coefficient::one ||
                     hola.state.coefficient == Coefficient::key_norm_only || hola.state.write != nullptr;
  require(given, std::string(kernel) + ": write is null");
}

inline void require_read(const char* kernel, const HolaCall& hola) {
  require(hola.read == CallRead::rmsnorm || hola.read == CallRead::l2, std::string(kernel) + ": no such read");
  require(is_call_type(hola.gamma_q_type) && is_call_type(hola.gamma_k_type) && is_call_type(hola.sink_type) &&
              is_call_type(hola.gate_type),
          std::string(kernel) + ": an element type is none of f32, bf16, f16");
  if (hola.state.N * hola.state.T == 0) return;
  for (const auto& [name, pointer] : {std::pair{"q", hola.state.q},
                                      {"k", hola.state.k},
                                      {"v", hola.state.v},
                                      {"o", static_cast<const void*>(hola.state.o)},
                                      {"sink", hola.sink},
                                      {"gate", hola.gate}}) {
    require_pointer(kernel, name, pointer);
  }
  if (hola.read == CallRead::l2) return;
  require_pointer(kernel, "gamma_q", hola.gamma_q);
  require_pointer(kernel, "gamma_k", hola.gamma_k);
}

inline void require_slots(const char* kernel, const HolaCall& hola) {
  if (hola.state.N == 0) return;
  const CacheSlots& cache = hola.cache;
  for (const auto& [name, pointer] : {std::pair{"cache k", static_cast<const void*>(cache.k)},
                                      {"cache v", static_cast<const void*>(cache.v)},
                                      {"cache scores", static_cast<const void*>(cache.scores)},
                                      {"cache factors", static_cast<const void*>(cache.factors)},
                                      {"cache tokens", static_cast<const void*>(cache.tokens)},
                                      {"cache slot_of", static_cast<const void*>(cache.slot_of)},
                                      {"cache length", static_cast<const void*>(cache.length)}}) {
    require_pointer(kernel, name, pointer);
  }
}

/// After the run: throws at the first score that is refused.
inline void require_right_scores(const HolaCall& hola) {
  std::vector<std::int32_t> refused(static_cast<std::size_t>(hola.state.N * hola.state.HV));
  if (refused.empty()) return;
  simt::copy_to_host(refused.data(), hola.refused, refused.size() * sizeof refused[0]);
  for (std::size_t i = 0; i < refused.size(); ++i) {
    if (refused[i] < 0) continue;
    const auto HV = static_cast<std::size_t>(hola.state.HV);
    throw std::runtime_error("the score of token " + std::to_string(refused[i]) + " of sequence " +
                             std::to_string(i / HV) + ", value head " + std::to_string(i % HV) +
                             " is NaN or negative; the cache has no order");
  }
}

}  // namespace deltaproof
