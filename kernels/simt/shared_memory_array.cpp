// Part of every kernel library for the host: the memory behind `extern __shared__ unsigned char shared_bytes[]`. A
// declaration in a function names a variable of the function's namespace, so the array goes by one name in each.
#include "kernels/simt/host_launch.cuh"

constinit thread_local unsigned char simt_dynamic_shared[simt_dynamic_shared_capacity] __align__(128) = {};

#define SIMT_SHARED_BYTES                                                        \
  extern thread_local unsigned char shared_bytes[simt_dynamic_shared_capacity] \
      __attribute__((alias("simt_dynamic_shared")))

SIMT_SHARED_BYTES;
namespace deltaproof {
SIMT_SHARED_BYTES;
namespace kernels {
SIMT_SHARED_BYTES;
}
}  // namespace deltaproof
