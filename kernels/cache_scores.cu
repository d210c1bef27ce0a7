#include "kernels/cache_scores.cuh"

#include "kernels/cache_launch.cuh"
#include "kernels/hola_parts.hpp"

namespace deltaproof {

void launch_cache_scores(const HolaCall& hola) {
  with_input_type(hola.state, [&]<class E>(E) {
    launch_warps("scores", hola.state.B * hola.state.T * hola.state.HV, cache_scores<E>, hola);
  });
}

}  // namespace deltaproof
