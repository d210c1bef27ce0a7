// Part of every kernel library for the host: the memory behind `extern __shared__ unsigned char shared_bytes[]`, to
// which cmake/DeltaproofLinkKernels.cmake binds the names of such arrays.
#include "kernels/simt/host_launch.cuh"

constinit thread_local unsigned char simt_dynamic_shared[simt_dynamic_shared_capacity] __align__(128) = {};
