// Right kernels for the tests of the executor, and how they are launched.
#include "kernels/simt/simt.cuh"

namespace {

struct Places {
  unsigned *thread, *block, *lane;  // three numbers a thread, three a thread, one a thread
};

__device__ unsigned thread_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__global__ void places(Places out) {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned i = block * threads + thread_in_block();
  out.thread[3 * i] = threadIdx.x, out.thread[3 * i + 1] = threadIdx.y, out.thread[3 * i + 2] = threadIdx.z;
  out.block[3 * i] = blockIdx.x, out.block[3 * i + 1] = blockIdx.y, out.block[3 * i + 2] = blockIdx.z;
  // Rank among the lanes of the warp: only threads of one warp meet here.
  out.lane[i] = static_cast<unsigned>(__popc(__ballot_sync(0xffffffffu, 1)));
}

__global__ void shuffle(int kind, unsigned mask, int operand, int width, const int* in, int* out) {
  const unsigned lane = threadIdx.x % 32;
  if ((mask >> lane & 1) == 0) return;
  const auto distance = static_cast<unsigned>(operand);
  if (kind == 0) out[threadIdx.x] = __shfl_sync(mask, in[threadIdx.x], operand, width);
  if (kind == 1) out[threadIdx.x] = __shfl_up_sync(mask, in[threadIdx.x], distance, width);
  if (kind == 2) out[threadIdx.x] = __shfl_down_sync(mask, in[threadIdx.x], distance, width);
  if (kind == 3) out[threadIdx.x] = __shfl_xor_sync(mask, in[threadIdx.x], operand, width);
}

__global__ void shuffle_by_lane(const int* in, const int* source, float* out) {
  const float value = static_cast<float>(in[threadIdx.x]) + 0.5f;
  out[threadIdx.x] = __shfl_sync(0xffffffffu, value, source[threadIdx.x]);
}

__global__ void votes(unsigned mask, const int* predicate, unsigned* ballot, int* any, int* all) {
  const unsigned t = threadIdx.x;
  if ((mask >> t % 32 & 1) == 0) return;
  ballot[t] = __ballot_sync(mask, predicate[t]);
  any[t] = __any_sync(mask, predicate[t]);
  all[t] = __all_sync(mask, predicate[t]);
}

/// Two groups of lanes of a warp sum at the same time, each with its own mask and number of rounds; one votes too, on
/// what all of it agree.
__global__ void two_groups(const int* in, int* out) {
  const unsigned lane = threadIdx.x % 32;
  int sum = in[threadIdx.x];
  if (lane < 16) {
    for (int d = 8; d > 0; d /= 2) sum += __shfl_xor_sync(0x0000ffffu, sum, d);
  } else {
    for (int d = 4; d > 0; d /= 2) {
      sum += __shfl_xor_sync(0xffff0000u, sum, d);
      sum += __all_sync(0xffff0000u, 1) - 1;
    }
    __syncwarp(0xffff0000u);
  }
  out[threadIdx.x] = sum;
}

/// Sum of a block's elements: shuffles within warps, shared memory between them.
__global__ void block_sum(const float* in, float* out, int n) {
  __shared__ float partial[32];
  const unsigned t = threadIdx.x, warps = (blockDim.x + 31) / 32;
  float sum = 0;
  for (auto i = static_cast<int>(t); i < n; i += static_cast<int>(blockDim.x)) {
    sum += in[static_cast<std::size_t>(blockIdx.x) * static_cast<unsigned>(n) + static_cast<unsigned>(i)];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) partial[t / 32] = sum;
  __syncthreads();
  for (unsigned w = 1; w < warps && t == 0; ++w) partial[0] += partial[w];
  __syncthreads();
  if (t == 0) out[blockIdx.x] = partial[0];
}

/// Turns a block's elements round, with or without the barrier that it takes.
__global__ void reverse(const float* in, float* out, bool with_barrier) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  auto* const elements = reinterpret_cast<float*>(shared_bytes);
  elements[threadIdx.x] = in[threadIdx.x];
  if (with_barrier) __syncthreads();
  out[threadIdx.x] = elements[blockDim.x - 1 - threadIdx.x];
}

/// Threads leave one by one; those that stay go on meeting.
__global__ void leave_early(int* rounds) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned i = 0; i < lane; ++i) rounds[threadIdx.x] += __any_sync(0xffffffffu, 1);
}

__global__ void mark_order(unsigned* next, unsigned* order) { order[blockIdx.x] = (*next)++; }

/// Counts the threads that came to each of two steps before thread 0 of the block: the schedule, seen from inside.
__global__ void turns(unsigned* clock, unsigned* at) {
  for (unsigned step = 0; step < 4; ++step) {
    at[4 * threadIdx.x + step] = (*clock)++;
    __syncwarp();
  }
}

}  // namespace

extern "C" {

void launch_places(dim3 grid, dim3 block, unsigned* thread, unsigned* block_out, unsigned* lane) {
  simt::launch(grid, block, 0, places, Places{thread, block_out, lane});
}
void launch_shuffle(int kind, unsigned mask, int operand, int width, const int* in, int* out) {
  simt::launch(1, 32, 0, shuffle, kind, mask, operand, width, in, out);
}
void launch_shuffle_by_lane(const int* in, const int* source, float* out) {
  simt::launch(1, 32, 0, shuffle_by_lane, in, source, out);
}
void launch_votes(unsigned threads, unsigned mask, const int* predicate, unsigned* ballot, int* any, int* all) {
  simt::launch(1, threads, 0, votes, mask, predicate, ballot, any, all);
}
void launch_two_groups(const int* in, int* out) { simt::launch(1, 64, 0, two_groups, in, out); }
void launch_block_sum(unsigned blocks, unsigned threads, const float* in, float* out, int n) {
  simt::launch(blocks, threads, 0, block_sum, in, out, n);
}
void launch_reverse(unsigned threads, const float* in, float* out, bool with_barrier) {
  simt::launch(1, threads, threads * sizeof(float), reverse, in, out, with_barrier);
}
void launch_leave_early(unsigned threads, int* rounds) { simt::launch(1, threads, 0, leave_early, rounds); }
void launch_mark_order(unsigned blocks, unsigned* next, unsigned* order) {
  simt::launch(blocks, 1, 0, mark_order, next, order);
}
void launch_turns(unsigned threads, unsigned* clock, unsigned* at) { simt::launch(1, threads, 0, turns, clock, at); }
void launch_with_shared(unsigned grid_y, unsigned block_x, unsigned block_z, std::size_t shared, int* rounds) {
  simt::launch(dim3(1, grid_y), dim3(block_x, 1, block_z), shared, leave_early, rounds);  // with shared
}

}  // extern "C"
