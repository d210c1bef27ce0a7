#pragma once

#include "kernels/simt/simt.cuh"

/// Kernels whose threads share memory. 64 threads a block unless said otherwise.

__global__ void reverse(const float* in, float* out, float*, int, int) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}

/// Each thread reads what it wrote itself or what a later thread wrote: in reverse order the numbers are right.
__global__ void dropped_barrier(const float* in, float* out, float*, int, int) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  out[t] = tile[t | 1];
}

/// The tile is written again before all have read it: the second barrier is missing.
__global__ void dropped_second_barrier(const float* in, float* out, float*, int, int) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  for (unsigned i = 0; i < 2; ++i) {
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[63 - t];
  }
}

/// Lanes exchange through shared memory; `shift` says what stands between write and read: 0 a __syncwarp, 1 nothing,
/// 2 a shuffle, which orders no memory.
__global__ void warp_exchange(const float* in, float* out, float*, int, int shift) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    tile[t] = in[t];
    if (shift == 0) __syncwarp();
    if (shift == 2) __shfl_sync(0xffffffffu, in[t], 0);
    out[t] = tile[t ^ 1];
    if (shift == 0) __syncwarp();
  }
}

/// Halves of a warp synchronise among themselves and exchange within the half, or (shift 16) across.
__global__ void half_warp_exchange(const float* in, float* out, float*, int, int shift) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  const unsigned mask = t % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
  for (unsigned i = 0; i < 1 + t % 32 / 16; ++i) {  // the upper half once more: its clocks run ahead
    tile[t] = in[t];
    __syncwarp(mask);
    out[t] = tile[t ^ 1 ^ static_cast<unsigned>(shift)];
    __syncwarp(mask);
  }
}

/// All lanes of one warp read, at different times, what lane 0 then writes: ordered by the last __syncwarp, or
/// (shift 1) for the lower half only.
__global__ void read_by_halves(const float* in, float* out, float*, int, int shift) {
  __shared__ float value;
  const unsigned t = threadIdx.x;
  const unsigned mask = t % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
  if (t == 0) value = in[0];
  __syncthreads();
  float sum = value;
  if (t >= 16) __syncwarp(mask);
  sum += value;
  out[t] = sum;
  if (shift == 0) __syncwarp();
  if (shift == 1) __syncwarp(mask);
  if (t == 0) value = sum;
}

/// Neighbours write the two halves, or the four bytes, of one word.
__global__ void parts_of_words(const float* in, float* out, float* scratch, int, int) {
  __shared__ unsigned short halves[128];
  __shared__ unsigned char bytes[64];
  const unsigned t = threadIdx.x;
  halves[t] = static_cast<unsigned short>(in[t]);
  halves[t + 64] = 0;
  bytes[t] = static_cast<unsigned char>(t);
  reinterpret_cast<unsigned short*>(scratch)[t] = static_cast<unsigned short>(t);
  __syncthreads();
  const unsigned* words = reinterpret_cast<const unsigned*>(halves);
  out[t] = static_cast<float>(words[t]) + bytes[63 - t] + reinterpret_cast<unsigned char*>(scratch)[127 - t];
  __syncthreads();
  reinterpret_cast<unsigned*>(halves)[t] = t;  // a whole word, whose parts differed
}

/// Every block writes its own part (shift 0), or all write the same value to one element (shift 1).
__global__ void blocks_write(const float* in, float* out, float*, int, int shift) {
  const unsigned i = shift == 0 ? blockIdx.x * blockDim.x + threadIdx.x : threadIdx.x;
  out[i] = in[threadIdx.x];
}

/// Block 1 reads what block 0 writes.
__global__ void block_reads_other(const float* in, float* out, float* scratch, int, int) {
  if (blockIdx.x == 0) scratch[threadIdx.x] = in[threadIdx.x];
  if (blockIdx.x == 1) out[threadIdx.x] = scratch[threadIdx.x];
}

/// Block 0 writes what the other blocks read; an earlier launch (shift 0) made it defined.
__global__ void blocks_read_one_writes(const float* in, float* out, float* scratch, int, int shift) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (shift == 0) {
    scratch[i] = in[i];
    return;
  }
  if (blockIdx.x != 0) out[i] = scratch[0];
  if (i == 0) scratch[0] = 1.0f;
}

/// cp.async: waited for and seen by all (shift 0), the wait missing (1), the barrier missing (2).
__global__ void copy_async(const float* in, float* out, float*, int, int shift) {
  __shared__ __align__(16) float tile[64];
  const unsigned t = threadIdx.x;
  if (t < 16) simt::cp_async_16(tile + 4 * t, in + 4 * t);
  simt::cp_async_commit();
  if (shift != 1) simt::cp_async_wait<0>();
  if (shift != 2) __syncthreads();
  out[t] = tile[63 - t];
  simt::cp_async_wait<0>();
}

/// cp.async from memory that is written again: when all have their copies (shift 0), by the issuing thread before its
/// wait (1), by another between two barriers before the wait (2), by another with no barrier after the wait (3), or
/// beyond the bytes that are copied (4).
__global__ void copy_source(const float* in, float* out, float* scratch, int, int shift) {
  __shared__ __align__(16) float tile[64];
  const unsigned t = threadIdx.x;
  scratch[t] = in[t];
  __syncthreads();
  if (t < 16) simt::cp_async_16(tile + 4 * t, scratch + 4 * t, shift == 4 ? 8 : 16);  // copy of scratch
  simt::cp_async_commit();
  if ((shift == 1 || shift == 4) && t < 16) scratch[4 * t + (shift == 4 ? 2 : 0)] = 0;  // own source
  if (shift == 2 || shift == 3) __syncthreads();
  if (shift == 2 && t == 63) scratch[0] = 0;  // another's source
  if (shift == 2) __syncthreads();
  simt::cp_async_wait<0>();
  if (shift == 3 && t == 63) scratch[1] = 0;  // source just waited for
  __syncthreads();
  out[t] = tile[63 - t];
  if (shift == 0) scratch[63 - t] = 0;
}

/// ldmatrix of a tile all of whose rows are written, or (shift 1) but the last.
__global__ void load_matrix(const float*, float* out, float*, int, int shift) {
  __shared__ __align__(16) unsigned short tile[4][8][8];
  const unsigned lane = threadIdx.x;
  for (unsigned i = 0; i < 8; ++i) {
    if (lane < 32u - static_cast<unsigned>(shift)) tile[lane / 8][lane % 8][i] = static_cast<unsigned short>(lane);
  }
  __syncwarp();
  std::uint32_t r[4];
  simt::ldmatrix_x4(r, tile[lane / 8][lane % 8]);
  out[lane] = static_cast<float>(r[0] + r[3]);
}

/// Blocks write neighbouring halves of words.
__global__ void blocks_write_halves(const float*, float* out, float*, int, int) {
  auto* halves = reinterpret_cast<unsigned short*>(out);
  halves[threadIdx.x * gridDim.x + blockIdx.x] = static_cast<unsigned short>(blockIdx.x);
}

template <class T>
__device__ void touch(volatile T* where, bool write) {
  if (write) {
    *where = 1;
  } else {
    static_cast<void>(*where);
  }
}

/// Does what `in` says (tests/kernels/simt/checker_program.hpp) with 16 bytes, in `shift` steps.
__device__ inline void interpret(const float* in, unsigned char* bytes, int steps) {
  const unsigned* words = reinterpret_cast<const unsigned*>(in);
  const unsigned t = threadIdx.x;
  if (t < 16) bytes[t] = 0;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const unsigned op = words[2 * (64 * step + static_cast<int>(t))];
    const unsigned operand = words[2 * (64 * step + static_cast<int>(t)) + 1];
    const bool write = (op & 4) != 0;
    unsigned char* where = bytes + operand % 16;
    if ((op & 3) == 1 && op >> 3 == 0) touch<unsigned char>(where, write);
    if ((op & 3) == 1 && op >> 3 == 1) touch<unsigned short>(reinterpret_cast<unsigned short*>(where), write);
    if ((op & 3) == 1 && op >> 3 == 2) touch<unsigned>(reinterpret_cast<unsigned*>(where), write);
    if ((op & 3) == 1 && op >> 3 == 3) touch<unsigned long long>(reinterpret_cast<unsigned long long*>(where), write);
    if ((op & 3) == 2) __syncwarp(operand);
    if ((op & 3) == 3) __syncthreads();
  }
}

__global__ void interpret_shared(const float* in, float*, float*, int, int shift) {
  __shared__ __align__(16) unsigned char bytes[16];
  interpret(in, bytes, shift);
}

__global__ void interpret_global(const float* in, float*, float* scratch, int, int shift) {
  interpret(in, reinterpret_cast<unsigned char*>(scratch), shift);
}
