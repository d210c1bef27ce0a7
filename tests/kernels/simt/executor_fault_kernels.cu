// Kernels each with one fault, for the tests of what the executor says of it. The marks at the ends of lines are
// looked up by the tests.
#include "kernels/simt/simt.cuh"

namespace {

constexpr unsigned full = 0xffffffffu;

__global__ void different_barriers() {
  if (threadIdx.x < 40) {
    __syncthreads();  // barrier of the lower
  } else {
    __syncthreads();  // barrier of the upper
  }
}

__global__ void barrier_after_return() {
  if (threadIdx.x % 32 >= 30) return;
  __syncthreads();  // barrier after return
}

__global__ void barrier_and_shuffle() {
  __syncthreads();  // one that all pass
  if (threadIdx.x < 32) {
    __syncthreads();  // barrier that the others never reach
  } else if (threadIdx.x == 32) {
    __syncwarp(0x3);  // lane that waits for another
  } else {
    __syncthreads();  // barrier of the rest
  }
}

__global__ void own_lane_missing() {
  __syncwarp(0xfffffff7u);  // mask without lane 3
}

__global__ void different_collectives(int* out) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = __shfl_sync(full, 1, 0);  // shuffle of the even
  } else {
    out[threadIdx.x] = __any_sync(full, 1);  // vote of the odd
  }
}

__global__ void different_places(int* out) {
  if (threadIdx.x == 0) {
    out[threadIdx.x] = __any_sync(full, 1);  // vote of lane 0
  } else {
    out[threadIdx.x] = __any_sync(full, 1);  // vote of the others
  }
}

/// Which CUDA allows.
__global__ void syncwarp_at_different_places() {
  if (threadIdx.x == 0) {
    __syncwarp();
  } else {
    __syncwarp();
  }
}

__global__ void different_masks() {
  __syncwarp(threadIdx.x == 0 ? 0x3u : 0x7u);  // masks that differ
}

__global__ void shuffle_outside_mask(int* out) {
  if (threadIdx.x >= 8) return;
  out[threadIdx.x] = __shfl_down_sync(0xffu, 1, 1);  // shuffle outside mask
}

__global__ void shuffle_from_returned(int* out) {
  if (threadIdx.x == 4) return;
  out[threadIdx.x] = __shfl_xor_sync(full, 1, 1);  // shuffle from returned
}

__global__ void shuffle_width(int* out) {
  out[threadIdx.x] = __shfl_sync(full, 1, 0, 12);  // shuffle width
}

__global__ void spin_on_barriers() {
  for (;;) __syncthreads();  // endless barriers
}

__global__ void write_beyond(int at) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  shared_bytes[at] = 1;
}

/// Of `Words` words of static shared memory; the kernels beside it have others.
template <unsigned Words>
__global__ void static_words(unsigned* out) {
  __shared__ unsigned words[Words];
  words[Words - 1] = 5;
  *out = words[Words - 1];
}

__global__ void launch_inside() {
  simt::launch(1, 1, 0, spin_on_barriers);  // launch inside
}

__global__ void ldmatrix_misaligned(std::uint32_t* out) {
  __shared__ __align__(16) unsigned char tile[1024];
  std::uint32_t r[4];
  tile[threadIdx.x] = 0;
  simt::ldmatrix_x4(r, tile + 16 * threadIdx.x + (threadIdx.x == 5 ? 8 : 0));  // misaligned row
  out[threadIdx.x] = r[0];
}

__global__ void ldmatrix_global(std::uint32_t* out) {
  std::uint32_t r[2];
  simt::ldmatrix_x2(r, out);  // row in global memory
  out[threadIdx.x] = r[0];
}

__global__ void mma_partial(float* out) {
  float d[4] = {};
  const std::uint32_t a[4] = {}, b[2] = {};
  simt::mma_m16n8k16_bf16(d, a, b);  // partial mma
  out[threadIdx.x] = d[0];
}

__global__ void copy_misaligned(const unsigned char* in, int shared_offset, int global_offset) {
  __shared__ __align__(16) unsigned char tile[64];
  simt::cp_async_16(tile + shared_offset, in + global_offset);  // misaligned copy
  simt::cp_async_commit();
  simt::cp_async_wait<0>();
}

__global__ void copy_to_global(const unsigned char* in, unsigned char* out) {
  simt::cp_async_16(out, in);  // copy to global memory
}

__global__ void copy_from_shared() {
  __shared__ __align__(16) unsigned char tile[64];
  simt::cp_async_16(tile, tile + 16);  // copy from shared memory
}

/// The first 4 bytes of the 16 change before the wait, or (bytes 0) what is not copied.
__global__ void copy_source_changes(unsigned* in, unsigned bytes) {
  __shared__ __align__(16) unsigned char tile[16];
  simt::cp_async_16(tile, in, bytes);  // copy whose source changes
  simt::cp_async_commit();
  in[0] = 7;
  simt::cp_async_wait<0>();
}

__global__ void copy_in_flight(const unsigned char* in) {
  __shared__ __align__(16) unsigned char tile[64];
  simt::cp_async_16(tile, in);
  simt::cp_async_commit();
  simt::cp_async_16(tile + 16, in);  // copy in flight
  simt::cp_async_commit();
  simt::cp_async_wait<1>();
}

}  // namespace

namespace deltaproof {

/// With a name that the linker sees.
template <class T>
__global__ void named_kernel(T* out) {
  *out = __shfl_sync(1u, T{1}, 1);  // named shuffle
}

}  // namespace deltaproof

extern "C" {

void launch_different_barriers() { simt::launch(1, 64, 0, different_barriers); }
void launch_barrier_after_return() { simt::launch(dim3(2, 2), 64, 0, barrier_after_return); }
void launch_barrier_and_shuffle() { simt::launch(1, 64, 0, barrier_and_shuffle); }
void launch_own_lane_missing() { simt::launch(1, 32, 0, own_lane_missing); }
void launch_different_collectives(int* out) { simt::launch(1, 32, 0, different_collectives, out); }
void launch_different_places(int* out) { simt::launch(1, 32, 0, different_places, out); }
void launch_syncwarp_at_different_places() { simt::launch(1, 32, 0, syncwarp_at_different_places); }
void launch_different_masks() { simt::launch(1, 3, 0, different_masks); }
void launch_shuffle_outside_mask(int* out) { simt::launch(1, 32, 0, shuffle_outside_mask, out); }
void launch_shuffle_from_returned(int* out) { simt::launch(1, 32, 0, shuffle_from_returned, out); }
void launch_shuffle_width(int* out) { simt::launch(1, 32, 0, shuffle_width, out); }
void launch_spin_on_barriers(unsigned blocks) { simt::launch(blocks, 64, 0, spin_on_barriers); }
void launch_write_beyond(std::size_t size, int at) { simt::launch(1, 1, size, write_beyond, at); }
void launch_static_words(unsigned kib, std::size_t dynamic, unsigned* out) {
  if (kib == 1) simt::launch(1, 1, dynamic, static_words<256>, out);  // static words
  if (kib == 48) simt::launch(1, 1, dynamic, static_words<48 * 256>, out);
  if (kib == 49) simt::launch(1, 1, dynamic, static_words<49 * 256>, out);
}
void launch_launch_inside() { simt::launch(1, 1, 0, launch_inside); }
void launch_ldmatrix_misaligned(std::uint32_t* out) { simt::launch(1, 32, 0, ldmatrix_misaligned, out); }
void launch_ldmatrix_global(std::uint32_t* out) { simt::launch(1, 32, 0, ldmatrix_global, out); }
void launch_mma_partial(float* out) { simt::launch(1, 48, 0, mma_partial, out); }
void launch_copy_misaligned(const unsigned char* in, int shared_offset, int global_offset) {
  simt::launch(1, 1, 0, copy_misaligned, in, shared_offset, global_offset);
}
void launch_copy_to_global(const unsigned char* in, unsigned char* out) {
  simt::launch(1, 1, 0, copy_to_global, in, out);
}
void launch_copy_in_flight(const unsigned char* in) { simt::launch(1, 2, 0, copy_in_flight, in); }
void launch_copy_from_shared() { simt::launch(1, 1, 0, copy_from_shared); }
void launch_copy_source_changes(unsigned* in, unsigned bytes) {
  simt::launch(1, 1, 0, copy_source_changes, in, bytes);
}
void launch_named_kernel(int* out) { simt::launch(1, 1, 0, deltaproof::named_kernel<int>, out); }

}  // extern "C"
