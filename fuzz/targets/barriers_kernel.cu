// Runs a program of the fuzz target `barriers`, every thread by itself.
#include "fuzz/targets/simt_program.hpp"
#include "kernels/simt/simt.cuh"

namespace {

using namespace deltaproof::fuzz;

struct Arguments {
  SimtProgram program;
  unsigned* registers;  ///< [block, thread, 4]
};

__device__ unsigned shuffled(const SimtOp& op, unsigned mask, unsigned value, unsigned thread) {
  const int width = static_cast<int>(shuffle_width(op)), line = op.place;
  const unsigned operand = shuffle_operand(op, thread);
  switch (shuffle_kind(op)) {
    case 0: return __shfl_sync(mask, value, static_cast<int>(operand), width, "program", line);
    case 1: return __shfl_up_sync(mask, value, operand, width, "program", line);
    case 2: return __shfl_down_sync(mask, value, operand, width, "program", line);
    default: return __shfl_xor_sync(mask, value, static_cast<int>(operand), width, "program", line);
  }
}

__device__ unsigned voted(const SimtOp& op, unsigned mask, int predicate) {
  const int line = op.place;
  switch (vote_kind(op)) {
    case 0: return __ballot_sync(mask, predicate, "program", line);
    case 1: return static_cast<unsigned>(__any_sync(mask, predicate, "program", line));
    default: return static_cast<unsigned>(__all_sync(mask, predicate, "program", line));
  }
}

__global__ void run(Arguments arguments) {
  extern __shared__ unsigned char shared_bytes[];
  auto* const shared = reinterpret_cast<volatile unsigned*>(shared_bytes);
  const unsigned thread = threadIdx.x;
  unsigned r[simt_registers];
  for (unsigned i = 0; i < simt_registers; ++i) r[i] = thread * 17 + blockIdx.x * 1000003 + i;
  for (unsigned at = 0; at < arguments.program.count; ++at) {
    const SimtOp op = arguments.program.ops[at];
    if (!takes_part(op, thread)) continue;
    unsigned& to = r[op.a & 3];
    if (op.code == SimtCode::leave) break;
    switch (op.code) {
      case SimtCode::add: to = r[op.b & 3] * 2654435761u + r[op.c & 3] + thread; break;
      case SimtCode::flip: to ^= op.c * 0x01010101u; break;
      case SimtCode::choose: to += (r[op.b & 3] & 1) != 0 ? op.c : 0u; break;
      case SimtCode::store: shared[slot_of(op, thread)] = to; break;
      case SimtCode::load: to = shared[slot_of(op, thread)]; break;
      case SimtCode::block_barrier: __syncthreads("program", op.place); break;
      case SimtCode::warp_barrier: __syncwarp(mask_of(op, thread), "program", op.place); break;
      case SimtCode::shuffle: to = shuffled(op, mask_of(op, thread), to, thread); break;
      case SimtCode::vote: to = voted(op, mask_of(op, thread), (r[op.b & 3] & 1) != 0); break;
      case SimtCode::leave: break;
    }
  }
  unsigned* const out = arguments.registers + (blockIdx.x * blockDim.x + thread) * simt_registers;
  for (unsigned i = 0; i < simt_registers; ++i) out[i] = r[i];
}

}  // namespace

/// Throws std::runtime_error for a fault.
extern "C" void deltaproof_fuzz_run_program(const SimtProgram* program, unsigned* registers) {
  simt::launch(program->blocks, program->threads, simt_slots * sizeof(unsigned), run, Arguments{*program, registers});
}
