#pragma once

#include <cstdint>

/// The little language of the fuzz target `barriers`, as kernel and model both read it: what depends on a thread alone.
/// Plain C++ that is valid in a kernel file.
namespace deltaproof::fuzz {

enum class SimtCode : std::uint8_t {
  add,        ///< r[a] = 2654435761 r[b] + r[c] + thread
  flip,       ///< r[a] ^= 0x01010101 c
  choose,     ///< if (r[b] & 1) r[a] += c
  store,      ///< shared[slot] = r[a]
  load,       ///< r[a] = shared[slot]
  block_barrier,
  warp_barrier,
  shuffle,    ///< r[a] = of r[a] of another lane
  vote,       ///< r[a] = of r[b] & 1
  leave,      ///< the thread returns
};
constexpr unsigned simt_codes = 10, simt_registers = 4, simt_slots = 128, most_simt_ops = 48;

struct SimtOp {
  SimtCode code;
  std::uint8_t guard;  ///< which threads do it
  std::uint8_t place;  ///< source line, for what meets by place
  std::uint8_t a, b, c;
};

struct SimtProgram {
  std::uint32_t threads = 32, blocks = 1, count = 0;
  SimtOp ops[most_simt_ops] = {};
};

constexpr bool takes_part(const SimtOp& op, unsigned thread) {
  const unsigned x = op.guard >> 3, lane = thread % 32;
  switch (op.guard & 7) {
    case 3: return (lane >> (x % 5) & 1) == (x >> 4);
    case 4: return thread < 3 * x;
    case 5: return thread >= 3 * x;
    case 6: return thread / 32 == x % 3;
    case 7: return lane == x;
    default: return true;
  }
}

/// Lanes of the thread's warp, existing or not, that take part.
constexpr std::uint32_t lanes_that_take_part(const SimtOp& op, unsigned thread) {
  std::uint32_t lanes = 0;
  for (unsigned i = 0; i < 32; ++i) lanes |= takes_part(op, thread / 32 * 32 + i) ? 1u << i : 0u;
  return lanes;
}

/// Mask of a collective as the thread hands it in.
constexpr std::uint32_t mask_of(const SimtOp& op, unsigned thread) {
  const unsigned lane = thread % 32;
  switch (op.c >> 4 & 7) {
    case 0: return 0xffffffffu;
    case 4: return 0xffffu << (lane & 16);  // its half of the warp
    case 5: return 1u << lane;
    case 6: return 3u << (lane & 30);
    case 7: return op.c * 0x01010101u ^ op.place;
    default: return lanes_that_take_part(op, thread);
  }
}

constexpr unsigned slot_of(const SimtOp& op, unsigned thread) { return (thread * (1 + 2 * (op.b & 3)) + op.c) % simt_slots; }

/// Of a shuffle: 0 index, 1 up, 2 down, 3 xor.
constexpr unsigned shuffle_kind(const SimtOp& op) { return op.b & 3; }
constexpr unsigned shuffle_width(const SimtOp& op) { return op.b >= 250 ? 3 : 32u >> (op.b >> 2) % 6; }
constexpr unsigned shuffle_operand(const SimtOp& op, unsigned thread) {
  return (op.place & 128) != 0 ? (thread * (op.c & 7) + (op.c & 15)) & 63 : op.c & 15;
}
/// Of a vote: 0 ballot, 1 any, 2 all.
constexpr unsigned vote_kind(const SimtOp& op) { return op.b >> 2 & 3; }

}  // namespace deltaproof::fuzz
