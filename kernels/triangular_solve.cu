#include "kernels/triangular_solve.cuh"

#include "kernels/triangular_solve_entry.cuh"

namespace deltaproof {
int run_triangular_solve(const SolveCall& call, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] {
    const std::int64_t most = std::int64_t{1} << 40;
    require_between("triangular_solve", "batch", call.batch, 0, most);
    require_between("triangular_solve", "columns", call.columns, 0, most);
    if (call.batch > 0 && call.columns > 0) {
      require_pointer("triangular_solve", "L", call.L);
      require_pointer("triangular_solve", "R", call.R);
      require_pointer("triangular_solve", "X", call.X);
    }
    switch (call.C) {
      case 16: return launch_triangular_solve<16>(call);
      case 32: return launch_triangular_solve<32>(call);
      case 64: return launch_triangular_solve<64>(call);
      default: throw std::invalid_argument("triangular_solve: C is " + std::to_string(call.C) +
                                           ", must be 16, 32 or 64");
    }
  });
}

}  // namespace deltaproof
