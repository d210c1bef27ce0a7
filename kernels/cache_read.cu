#include "kernels/cache_read.cuh"

#include "kernels/cache_launch.cuh"
#include "kernels/hola_parts.hpp"

namespace deltaproof {

void launch_cache_read(const HolaCall& hola) {
  const std::int64_t tokens = hola.state.B * hola.state.T;
  with_input_type(hola.state, [&]<class E>(E) {
    launch_warps("cache_read", tokens * hola.state.H, cache_key_factors<E>, hola);
    launch_warps("cache_read", tokens * hola.state.HV, cache_read<E>, hola);
  });
}

}  // namespace deltaproof
