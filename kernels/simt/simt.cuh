#pragma once

/// The one header of kernel files: what CUDA C++ has no spelling for, with a device and a host twin.
#ifdef __CUDACC__
#include "kernels/simt/device.cuh"
#else
#include "kernels/simt/host.cuh"
#endif
