#pragma once

// Instructions that CUDA C++ has no spelling for, of one thread. Names and meaning as in host_math.cuh.

#include <cstdint>

#include "kernels/simt/types.cuh"

namespace simt {

#define SIMT_UNARY(name, instruction)                          \
  __device__ inline float name(float x) {                      \
    float result;                                              \
    asm(instruction " %0, %1;" : "=f"(result) : "f"(x));       \
    return result;                                             \
  }
SIMT_UNARY(exp2_approx, "ex2.approx.f32")
SIMT_UNARY(exp2_approx_ftz, "ex2.approx.ftz.f32")
SIMT_UNARY(rsqrt_approx, "rsqrt.approx.f32")
SIMT_UNARY(rsqrt_approx_ftz, "rsqrt.approx.ftz.f32")
SIMT_UNARY(rcp_approx, "rcp.approx.f32")
SIMT_UNARY(rcp_approx_ftz, "rcp.approx.ftz.f32")
#undef SIMT_UNARY

template <class T>
__device__ T from_float(float x);

template <>
__device__ inline float from_float<float>(float x) {
  return x;
}
template <>
__device__ inline bf16 from_float<bf16>(float x) {
  bf16 result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
  return result;
}
template <>
__device__ inline f16 from_float<f16>(float x) {
  f16 result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
  return result;
}

__device__ inline float to_float(float x) { return x; }
__device__ inline float to_float(bf16 x) { return __uint_as_float(std::uint32_t{x.bits} << 16); }
__device__ inline float to_float(f16 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
  return result;
}

}  // namespace simt
