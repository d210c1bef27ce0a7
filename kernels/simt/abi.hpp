#pragma once

#include <cstddef>
#include <cstdint>

/// What kernels that are compiled for the host call. The functions live in the executable (`deltaproof_simt`);
/// a kernel library has them undefined and gets them from there. `file` and `line` are the kernel's.
/// None returns an error: a fault ends the launch, and `simt_launch` reports it.
extern "C" {

struct simt_index {
  std::uint32_t x, y, z;
};

/// Place of the running thread: the same object with the same contents for as long as the thread runs.
struct simt_position {
  simt_index thread, block, block_dim, grid_dim;
  std::uint32_t lane, warp;
};
__attribute__((const)) const simt_position* simt_here();

struct simt_launch_request {
  simt_index grid, block;
  std::size_t dynamic_shared;             ///< bytes
  const char* kernel;                     ///< name, for messages; null: found by `kernel_address`
  void (*body)(void* arguments);          ///< calls the kernel for the running thread
  void* arguments;
  std::size_t arguments_size;             ///< bytes at `arguments`, which threads may read
  const void* dynamic_shared_symbol;      ///< calling thread's copy of the `extern __shared__` array; null: none
  std::size_t dynamic_shared_capacity;    ///< its bytes
  const char* file;
  int line;
  char* error;                            ///< message, if the launch ends in a fault
  std::size_t error_capacity;
  const void* kernel_address;             ///< of the kernel's function, for its name
};
/// Runs a grid to its end. 0, or 1 with `error` filled.
int simt_launch(const simt_launch_request* request);

void simt_syncthreads(const char* file, int line);
void simt_syncwarp(std::uint32_t mask, const char* file, int line);

enum simt_shuffle_kind { simt_shuffle_index, simt_shuffle_up, simt_shuffle_down, simt_shuffle_xor };
std::uint32_t simt_shuffle(simt_shuffle_kind kind, std::uint32_t mask, std::uint32_t bits, std::uint32_t operand,
                           std::uint32_t width, const char* file, int line);
enum simt_vote_kind { simt_vote_ballot, simt_vote_any, simt_vote_all };
std::uint32_t simt_vote(simt_vote_kind kind, std::uint32_t mask, int predicate, const char* file, int line);

/// d = a b + c for a whole warp, fragments as PTX lays them out. d may be c.
enum simt_mma_kind { simt_mma_m16n8k16_bf16, simt_mma_m16n8k16_f16, simt_mma_m16n8k8_tf32 };
void simt_mma(simt_mma_kind kind, float* d, const std::uint32_t* a, const std::uint32_t* b, const float* c,
              const char* file, int line);

/// 8 x 8 matrices of 16-bit elements from shared memory: lanes 8 i to 8 i + 7 hand in the rows of matrix i.
void simt_ldmatrix(int matrices, bool transposed, std::uint32_t* registers, const void* row, const char* file,
                   int line);

/// 16 bytes to shared memory; they land in `simt_cp_async_wait`. `bytes` below 16: the rest is zero.
void simt_cp_async(void* shared, const void* global, std::uint32_t bytes, const char* file, int line);
void simt_cp_async_commit(const char* file, int line);
void simt_cp_async_wait(int groups_left, const char* file, int line);

}  // extern "C"
