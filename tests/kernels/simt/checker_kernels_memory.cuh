#pragma once

#include <cstring>

#include "kernels/simt/simt.cuh"

/// Kernels that leave their memory, read what is undefined, or do not end. `shift` 0 is right unless said otherwise.

extern "C" __device__ constexpr float checker_table[4] = {1, 2, 3, 4};

/// Reads in[i + shift].
__global__ void read_shifted(const float* in, float* out, float*, int count, int shift) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) out[i] = in[i + shift];
}

__global__ void write_shifted(const float* in, float* out, float*, int count, int shift) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) out[i + shift] = in[i];
}

/// 16 bytes at a time.
__global__ void copy_vectors(const float* in, float* out, float*, int count, int shift) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i + shift];
}

/// Elements or vectors `shift` bytes off their alignment.
__global__ void copy_misaligned(const float* in, float* out, float*, int, int shift) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < 8) out[i] = *reinterpret_cast<const float*>(reinterpret_cast<const char*>(in + i) + shift % 4);
  const char* vectors = reinterpret_cast<const char*>(in + 4) + shift / 4 * 4;
  if (i == 2) *reinterpret_cast<float4*>(out + 8) = *reinterpret_cast<const float4*>(vectors);
}

/// 48 bytes at a time, with memcpy and memset.
__global__ void copy_memory(const float* in, float* out, float* scratch, int count, int shift) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= count / 12) return;
  std::memset(scratch + 12 * i, 0, 48);
  std::memcpy(out + 12 * i, in + 12 * (i + shift), 48);
  out[12 * i] += scratch[12 * i];
}

/// An index beyond an array that others follow.
__global__ void shared_shifted(const float* in, float* out, float*, int, int shift) {
  __shared__ float before[64], tile[64], after[64];
  const int t = static_cast<int>(threadIdx.x);
  before[t] = after[t] = 0;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[t + shift] + before[t] + after[t];
}

__global__ void dynamic_shared(const float* in, float* out, float*, int, int shift) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  float* tile = reinterpret_cast<float*>(shared_bytes);
  const int t = static_cast<int>(threadIdx.x);
  tile[t + shift] = in[t];
  __syncthreads();
  out[t] = tile[t + shift];
}

/// Reads all of a tile that has all but `shift` elements written.
__global__ void read_unwritten_shared(const float* in, float* out, float*, int, int shift) {
  __shared__ float tile[64];
  const int t = static_cast<int>(threadIdx.x);
  if (t < 64 - shift) tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}

/// Launch with shift 0 writes the scratch, with 1 reads it: defined only in this order.
__global__ void through_scratch(const float* in, float* out, float* scratch, int, int shift) {
  const int t = static_cast<int>(threadIdx.x);
  if (shift == 0) scratch[t] = in[t];
  if (shift == 1) out[t] = scratch[t];
}

__global__ void write_input(const float* in, float* out, float*, int, int shift) {
  const int t = static_cast<int>(threadIdx.x);
  out[t] = in[t];
  if (shift == 1) const_cast<float*>(in)[t] = 0;
}

/// Reads constants of the library, an array of its own, and the element `shift` of it.
__global__ void read_constants(const float*, float* out, float*, int, int shift) {
  const int t = static_cast<int>(threadIdx.x);
  volatile float own[4] = {1, 2, 3, 4};
  const float* table = checker_table;
  out[t] = table[t % 4] + own[t % 4] + own[shift];
}

__global__ void wild_pointer(const float*, float* out, float*, int, int shift) {
  float* target = shift == 1 ? nullptr : shift == 2 ? reinterpret_cast<float*>(0x123456789000) : out;
  target[threadIdx.x] = 1;
}

__global__ void divide(const float* in, float* out, float*, int, int shift) {
  const int t = static_cast<int>(threadIdx.x);
  volatile int divisor = 1 - shift;
  out[t] = in[t] + static_cast<float>((t + 1) / divisor);
}

/// Never ends: without memory accesses (shift 1), with (2), in the executor's functions (3).
__global__ void hang(const float* in, float* out, float*, int, int shift) {
  const int t = static_cast<int>(threadIdx.x);
  out[t] = in[t];
#ifndef __CUDACC__
  while (shift == 1) asm volatile("");
#endif
  while (shift == 2) reinterpret_cast<volatile float*>(out)[t] = 1;
  while (shift == 3) out[t] = __shfl_sync(0xffffffffu, out[t], 0);
}

#ifdef __CUDACC__
#define CHECKER_NEVER_INLINE
#else
#define CHECKER_NEVER_INLINE __attribute__((noinline))
#endif

CHECKER_NEVER_INLINE __device__ int descend(int depth, int limit) {
  volatile int frame[64];
  frame[depth % 64] = depth;
  return depth == limit ? frame[0] : descend(depth + 1, limit) + frame[depth % 64];
}

/// Calls itself until the stack is used up.
__global__ void recurse(const float*, float* out, float*, int, int shift) {
  out[threadIdx.x] = static_cast<float>(descend(0, shift == 1 ? 1 << 28 : 4));
}
