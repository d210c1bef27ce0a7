#pragma once

/// The device twin of kernels/simt/simt.cuh, for nvcc and compute capability 8.0 or later. Flags: kernels/cuda.
#include "kernels/simt/device_launch.cuh"
#include "kernels/simt/device_math.cuh"
#include "kernels/simt/device_warp.cuh"
#include "kernels/simt/fragments.hpp"
#include "kernels/simt/types.cuh"
