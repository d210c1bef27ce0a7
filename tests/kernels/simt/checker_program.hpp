#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace deltaproof {

/// What 64 threads do, step by step, with 16 bytes of memory. For the kernels interpret_shared and interpret_global.
struct CheckerProgram {
  static constexpr int threads = 64;

  struct Op {
    enum Kind : std::uint32_t { nothing = 0, access = 1, syncwarp = 2, syncthreads = 3 } kind = nothing;
    bool write = false;
    std::uint32_t log2_size = 0;
    std::uint32_t operand = 0;  ///< offset of the access, a multiple of its size; mask of the syncwarp
  };

  std::vector<std::vector<Op>> steps;  ///< [step][thread]

  /// Two words an operation: kind, write and size; operand.
  std::vector<std::uint32_t> encoded() const;
  /// Whether two threads touch the same byte, one of them writing, and no barrier orders them: by comparing every
  /// pair of accesses, with what each thread knows of the others' progress.
  bool has_race() const;
};

/// Each step is one of accesses, warp barriers (a random mask in each warp, its complement too or not at all), or a
/// barrier. Few accesses, so that about half of the programs have no race.
CheckerProgram random_program(std::mt19937_64& random);

}  // namespace deltaproof
