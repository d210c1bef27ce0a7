#include "kernels/cache_select.cuh"

#include "kernels/cache_launch.cuh"
#include "kernels/hola_parts.hpp"

namespace deltaproof {

/// Blocks: sequences x value heads.
__global__ void __launch_bounds__(cache_threads) cache_select(HolaCall hola, int size) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  const KernelCall& call = hola.state;
  const std::int64_t n = blockIdx.x / call.HV, head = blockIdx.x % call.HV;
  const SequencePlace sequence = sequence_place(call, n);
  std::int32_t refused = -1;
  if (sequence.state_row >= 0) {
    refused = CacheSelection{hola, reinterpret_cast<std::uint64_t*>(shared_bytes), size, n, head, sequence}.run();
  }
  if (threadIdx.x == 0) hola.refused[blockIdx.x] = refused;
}

void launch_cache_select(const HolaCall& hola) {
  const std::int64_t blocks = hola.state.N * hola.state.HV;
  if (blocks == 0) return;
  const int size = sort_size(hola);
  simt::launch(linear_grid("select", blocks), dim3(cache_threads), key_bytes(size), cache_select, hola, size);
}

}  // namespace deltaproof
