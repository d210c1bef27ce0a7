// The functions of abi.hpp that kernels call, but for `simt_launch` (launch.cpp).
#include <cstdio>
#include <cstdlib>

#include "kernels/simt/block.hpp"

using deltaproof::BlockRunner;

namespace {

BlockRunner& block() {
  BlockRunner* const running = BlockRunner::running();
  if (running == nullptr) [[unlikely]] {
    std::fputs("deltaproof: a function for kernels was called outside of a kernel\n", stderr);
    std::abort();
  }
  return *running;
}

}  // namespace

extern "C" {

const simt_position* simt_here() { return &block().current().position; }

void simt_syncthreads(const char* file, int line) { block().syncthreads(file, line); }
void simt_syncwarp(std::uint32_t mask, const char* file, int line) { block().syncwarp(mask, file, line); }

std::uint32_t simt_shuffle(simt_shuffle_kind kind, std::uint32_t mask, std::uint32_t bits, std::uint32_t operand,
                           std::uint32_t width, const char* file, int line) {
  return block().shuffle(kind, mask, bits, operand, width, file, line);
}

std::uint32_t simt_vote(simt_vote_kind kind, std::uint32_t mask, int predicate, const char* file, int line) {
  return block().vote(kind, mask, predicate, file, line);
}

void simt_mma(simt_mma_kind kind, float* d, const std::uint32_t* a, const std::uint32_t* b, const float* c,
              const char* file, int line) {
  block().mma({kind, d, a, b, c}, file, line);
}

void simt_ldmatrix(int matrices, bool transposed, std::uint32_t* registers, const void* row, const char* file,
                   int line) {
  block().ldmatrix({matrices, transposed, registers}, row, file, line);
}

void simt_cp_async(void* shared, const void* global, std::uint32_t bytes, const char* file, int line) {
  block().cp_async(shared, global, bytes, file, line);
}
void simt_cp_async_commit(const char* file, int line) { block().cp_async_commit(file, line); }
void simt_cp_async_wait(int groups_left, const char* file, int line) {
  block().cp_async_wait(groups_left, file, line);
}

}  // extern "C"
