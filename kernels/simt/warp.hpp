#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/simt/abi.hpp"

namespace deltaproof {

/// Calls into the executor at which threads meet or may wait.
enum class Call : std::uint8_t {
  syncthreads, syncwarp, shuffle, shuffle_up, shuffle_down, shuffle_xor, ballot, any, all, mma, ldmatrix,
};
/// As it is spelt in kernels.
const char* call_name(Call call);

/// Lanes of a warp on their way into one collective: the same call, place and mask.
struct Meeting {
  std::uint32_t mask, arrived;
  Call call;
  const char* file;
  int line;
};

constexpr std::uint32_t all_lanes = 0xffffffffu;

/// State of one warp: who is where, and what the lanes have handed in and get back.
struct Warp {
  std::uint32_t number = 0;
  std::uint32_t alive = 0;       ///< lanes that exist and have not returned
  std::uint32_t at_barrier = 0;  ///< lanes at __syncthreads
  std::uint32_t meeting_count = 0;
  Meeting meetings[32];
  Call waits_at[32];             ///< of lanes that wait: for what
  std::uint32_t waits_with[32];  ///< and with which mask

  std::uint32_t value[32];   ///< handed in: bits, or a predicate
  std::uint32_t source[32];  ///< lane whose value a shuffle reads
  std::uint32_t result[32];

  struct Mma {
    simt_mma_kind kind;
    float* d;
    const std::uint32_t* a;
    const std::uint32_t* b;
    const float* c;
  };
  Mma mma[32];

  struct Ldmatrix {
    int matrices;
    bool transposed;
    std::uint32_t* registers;
  };
  Ldmatrix ldmatrix[32];
  alignas(16) std::byte rows[32][16];
};

/// Lane that `lane` reads in a shuffle (PTX ISA, shfl.sync); its own where the source is out of range.
std::uint32_t shuffle_source(simt_shuffle_kind kind, std::uint32_t lane, std::uint32_t operand, std::uint32_t width);

}  // namespace deltaproof
