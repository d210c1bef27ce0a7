#include "kernels/chunk_entry.cuh"
#include "kernels/hola_entry.cuh"
#include "kernels/hola_limits.cuh"
#include "kernels/hola_parts.hpp"
#include "kernels/recurrent_entry.cuh"

namespace deltaproof {

std::size_t hola_workspace_bytes(const HolaCall& hola) { return chunk_workspace_bytes(hola.state); }

int run_scores(const HolaCall& hola, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] {
    require_cache("scores", hola);
    require_score("scores", hola);
    launch_cache_scores(hola);
  });
}

int run_select(const HolaCall& hola, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] {
    require_cache("select", hola);
    require_sets("select", hola);
    if (hola.state.N * hola.state.T > 0) require_pointer("select", "scores", hola.scores);
    require_pointer("select", "refused", hola.refused);
    launch_cache_select(hola);
    require_right_scores(hola);
  });
}

int run_cache_read(const HolaCall& hola, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] {
    require_cache("cache_read", hola);
    require_sets("cache_read", hola);
    require_read("cache_read", hola);
    require_pointer("cache_read", "key_factors", hola.key_factors);
    launch_cache_read(hola);
  });
}

int run_hola(const HolaCall& hola, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] {
    require_cache("hola", hola);
    require_sets("hola", hola);
    require_score("hola", hola);
    require(hola.score != CallScore::e && !hola.state.u_is_error,
            "hola: score e, without b, is not at hand in the chunk form");
    require_read("hola", hola);
    require_pointer("hola", "key_factors", hola.key_factors);
    require_pointer("hola", "refused", hola.refused);
    launch_chunk_call(hola.state);
    launch_cache_scores(hola);
    launch_cache_select(hola);
    launch_cache_read(hola);
    require_right_scores(hola);
  });
}

int run_hola_decode(const HolaCall& hola, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] {
    require_cache("hola_decode", hola);
    require(hola.state.cu_seqlens != nullptr || hola.state.T <= 1,
            "hola_decode: T is " + std::to_string(hola.state.T) + ", must be one token of every sequence");
    require_score("hola_decode", hola);
    require_read("hola_decode", hola);
    require_slots("hola_decode", hola);
    require_pointer("hola_decode", "refused", hola.refused);
    if (hola.w > 0 && hola.state.N > 0) require_pointer("hola_decode", "selected", hola.selected);
    require(reads_u(hola.score) ? hola.state.u_is_error == (hola.score == CallScore::e) : true,
            "hola_decode: u is e for score e, else b e");
    launch_recurrent_call(hola.state);
    launch_decode(hola);
    require_right_scores(hola);
  });
}

int run_hola_fill(const HolaCall& hola, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] {
    require_cache("hola_fill", hola);
    require_sets("hola_fill", hola);
    require_slots("hola_fill", hola);
    if (hola.state.N * hola.state.T > 0) {
      require_pointer("hola_fill", "k", hola.state.k);
      require_pointer("hola_fill", "v", hola.state.v);
      require_pointer("hola_fill", "scores", hola.scores);
    }
    launch_fill(hola);
  });
}

}  // namespace deltaproof
