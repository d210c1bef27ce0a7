#pragma once

/// The host twin of kernel files' one header: the CUDA spellings they use, on the executor of abi.hpp.
#include "kernels/simt/fragments.hpp"
#include "kernels/simt/host_builtins.cuh"
#include "kernels/simt/host_collectives.cuh"
#include "kernels/simt/host_launch.cuh"
#include "kernels/simt/host_math.cuh"
#include "kernels/simt/host_tiles.cuh"
#include "kernels/simt/types.cuh"
