#include "tests/kernels/simt/checker_kernels.hpp"

#include "tests/kernels/simt/checker_kernels_memory.cuh"
#include "tests/kernels/simt/checker_kernels_races.cuh"

namespace {

template <void (*kernel)(const float*, float*, float*, int, int)>
void run(const CheckerKernel& self, const CheckerBuffers& b) {
  simt::launch(self.blocks, self.threads, self.dynamic_shared, kernel, b.in, b.out, b.scratch, b.count, b.shift);
}

#define CHECKER_KERNEL(name, blocks, threads, dynamic) {#name, blocks, threads, dynamic, run<name>}

const CheckerKernel kernels[] = {
    CHECKER_KERNEL(reverse, 1, 64, 0),
    CHECKER_KERNEL(dropped_barrier, 1, 64, 0),
    CHECKER_KERNEL(dropped_second_barrier, 1, 64, 0),
    CHECKER_KERNEL(warp_exchange, 1, 64, 0),
    CHECKER_KERNEL(half_warp_exchange, 1, 64, 0),
    CHECKER_KERNEL(read_by_halves, 1, 32, 0),
    CHECKER_KERNEL(parts_of_words, 1, 64, 0),
    CHECKER_KERNEL(blocks_write, 2, 32, 0),
    CHECKER_KERNEL(block_reads_other, 2, 32, 0),
    CHECKER_KERNEL(blocks_read_one_writes, 3, 16, 0),
    CHECKER_KERNEL(copy_async, 1, 64, 0),
    CHECKER_KERNEL(copy_source, 1, 64, 0),
    CHECKER_KERNEL(load_matrix, 1, 32, 0),
    CHECKER_KERNEL(blocks_write_halves, 32, 4, 0),
    CHECKER_KERNEL(interpret_shared, 1, 64, 0),
    CHECKER_KERNEL(interpret_global, 1, 64, 0),
    CHECKER_KERNEL(read_shifted, 1, 64, 0),
    CHECKER_KERNEL(write_shifted, 1, 64, 0),
    CHECKER_KERNEL(copy_vectors, 1, 64, 0),
    CHECKER_KERNEL(copy_memory, 1, 64, 0),
    CHECKER_KERNEL(copy_misaligned, 1, 64, 0),
    CHECKER_KERNEL(shared_shifted, 1, 64, 0),
    CHECKER_KERNEL(dynamic_shared, 1, 64, 256),
    CHECKER_KERNEL(read_unwritten_shared, 1, 64, 0),
    CHECKER_KERNEL(through_scratch, 1, 64, 0),
    CHECKER_KERNEL(write_input, 1, 64, 0),
    CHECKER_KERNEL(read_constants, 1, 64, 0),
    CHECKER_KERNEL(wild_pointer, 1, 64, 0),
    CHECKER_KERNEL(divide, 1, 64, 0),
    CHECKER_KERNEL(hang, 1, 32, 0),
    {"hang_blocks", 4, 32, 0, run<hang>},
    CHECKER_KERNEL(recurse, 1, 2, 0),
};

}  // namespace

extern "C" CheckerKernels checker_kernels() { return {sizeof kernels / sizeof *kernels, kernels}; }
