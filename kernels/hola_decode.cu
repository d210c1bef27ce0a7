#include "kernels/hola_decode.cuh"

#include "kernels/cache_launch.cuh"
#include "kernels/hola_parts.hpp"

namespace deltaproof {

void launch_decode(const HolaCall& hola) {
  const std::int64_t heads = hola.state.N * hola.state.HV;
  if (heads == 0) return;
  const int size = sort_size(hola);
  with_input_type(hola.state, [&]<class E>(E) {
    launch_warps("hola_decode", heads, decode_write<E>, hola);
    launch_warps("hola_decode", heads, decode_read<E>, hola);
    simt::launch(linear_grid("hola_decode", heads), dim3(cache_threads), sort_bytes(size), decode_close<E>, hola, size);
  });
}

void launch_fill(const HolaCall& hola) {
  const std::int64_t heads = hola.state.N * hola.state.HV;
  if (heads == 0) return;
  const int size = sort_size(hola);
  with_input_type(hola.state, [&]<class E>(E) {
    simt::launch(linear_grid("hola_fill", heads), dim3(cache_threads), sort_bytes(size), hola_fill<E>, hola, size);
  });
}

}  // namespace deltaproof
