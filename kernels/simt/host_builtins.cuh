#pragma once

// Headers of the C++ library come before the macros below.
#include <cstddef>
#include <cstdint>

#include "kernels/simt/abi.hpp"

#define __global__
#define __device__
#define __host__
#define __constant__ constexpr
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__  // headers of the C++ library write __attribute__((__noinline__))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
/// One copy an OS thread, which runs one block at a time. `used`: the executor writes to it (poison), so that
/// compilers must not conclude from the kernel's own writes what it holds.
/// (Both compilers remark that it does nothing on `extern` declarations.)
#ifdef __clang__  // which wants an initialiser with `constinit`
#pragma GCC diagnostic ignored "-Wignored-attributes"
#define __shared__ __attribute__((used)) thread_local
#else
#pragma GCC diagnostic ignored "-Wattributes"
#define __shared__ __attribute__((used)) constinit thread_local  // no constructors, as in CUDA
#endif

#define threadIdx (::simt_here()->thread)
#define blockIdx (::simt_here()->block)
#define blockDim (::simt_here()->block_dim)
#define gridDim (::simt_here()->grid_dim)

constexpr int warpSize = 32;

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

struct __align__(8) float2 {
  float x, y;
};
struct __align__(16) float4 {
  float x, y, z, w;
};
struct __align__(8) int2 {
  int x, y;
};
struct __align__(16) int4 {
  int x, y, z, w;
};
struct __align__(8) uint2 {
  unsigned x, y;
};
struct __align__(16) uint4 {
  unsigned x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
