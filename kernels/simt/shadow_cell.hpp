#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace deltaproof::shadow {

/// What the last accesses to one granule of memory were: the last write, and the reads since then.
struct Cell {
  std::uint32_t write_block;  ///< serial of its block; 0: never written
  std::uint32_t write_epoch;
  std::uint32_t write_place;
  std::uint16_t write_thread;
  std::uint16_t write_clock;
  std::uint32_t read_block;  ///< 0: not read since the write
  std::uint32_t read_epoch;
  std::uint32_t read_place;
  std::uint32_t read_lanes;  ///< of `read_warp`, at `read_clock`
  std::uint16_t read_warp;
  std::uint16_t read_clock;
  std::uint8_t flags;
  std::uint8_t lock;  ///< taken while blocks on several OS threads use the cell
  std::uint16_t unused;
};

enum Flag : std::uint8_t {
  pending = 1,         ///< the write is a cp.async that has not landed
  several_warps = 2,   ///< read by several warps of `read_block` in `read_epoch`
  several_blocks = 4,  ///< read by several blocks of the launch
  mixed_clocks = 8,    ///< the lanes read at different clocks, kept in `MixedReads`
  split = 16,          ///< the bytes of the granule differ: see their own cells
  write_site = 32,     ///< `write_place` numbers a call into the executor, else it is code
  read_site = 64,
};

/// Clocks of the reading lanes, for the few cells whose readers met at barriers of different masks.
using MixedReads = std::unordered_map<const Cell*, std::array<std::uint16_t, 32>>;

enum class Kind : std::uint8_t { read, write, issue, land };

/// The running thread. Orders accesses as vector clocks do: `epoch` counts the block's barriers; within one,
/// `seen[l]` is the latest clock of lane l of the own warp that a `__syncwarp` ordered before this thread.
struct Accessor {
  std::uint32_t block = 0;        ///< serial over all launches of a checker, from 1
  std::uint32_t first_block = 0;  ///< first serial of this launch: earlier ones are ordered before
  std::uint32_t epoch = 0;
  std::uint16_t thread = 0;
  std::uint16_t warp = 0;
  std::uint16_t clock = 0;
  std::uint16_t lane = 0;
  const std::uint16_t* seen = nullptr;
  MixedReads* mixed = nullptr;
};

/// Where the access is: the low half of its code address, or the number of a site.
struct Place {
  std::uint32_t value = 0;
  bool site = false;
};

enum class Clash : std::uint8_t {
  none,
  read_after_write,   ///< a read, a write of another thread, and nothing that orders them
  write_after_write,
  write_after_read,
  uninitialised,
  in_flight,          ///< bytes of a cp.async that has not landed
};

/// Shared memory of a block is used by that block alone, and what earlier blocks wrote is gone. Global memory is
/// used by all blocks, between which nothing orders accesses of one launch.
enum class Space : std::uint8_t { shared, global };

template <Space space>
bool write_ordered(const Cell& cell, const Accessor& self) {
  if (cell.write_block != self.block) return space == Space::shared || cell.write_block < self.first_block;
  if (cell.write_epoch != self.epoch || cell.write_thread == self.thread) return true;
  return cell.write_thread / 32 == self.warp && cell.write_clock <= self.seen[cell.write_thread % 32];
}

/// Whether all lanes that read the cell in this epoch did so before `self`.
inline bool lanes_ordered(const Cell& cell, const Accessor& self) {
  std::uint32_t others = cell.read_lanes & ~(1u << self.lane);
  if (others == 0) return true;
  const std::array<std::uint16_t, 32>* clocks =
      (cell.flags & mixed_clocks) != 0 ? &self.mixed->at(&cell) : nullptr;
  for (; others != 0; others &= others - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(others));
    const std::uint16_t clock = clocks == nullptr ? cell.read_clock : (*clocks)[lane];
    if (clock > self.seen[lane]) return false;
  }
  return true;
}

template <Space space>
bool reads_ordered(const Cell& cell, const Accessor& self) {
  if (cell.read_block == 0) return true;
  if (cell.read_block != self.block) return space == Space::shared || cell.read_block < self.first_block;
  if ((cell.flags & several_blocks) != 0) return false;
  if (cell.read_epoch != self.epoch) return true;
  if ((cell.flags & several_warps) != 0 || cell.read_warp != self.warp) return false;
  return lanes_ordered(cell, self);
}

inline void set_reader(Cell& cell, const Accessor& self, Place place) {
  cell.read_block = self.block;
  cell.read_epoch = self.epoch;
  cell.read_place = place.value;
  cell.read_lanes = 1u << self.lane;
  cell.read_warp = self.warp;
  cell.read_clock = self.clock;
  cell.flags = static_cast<std::uint8_t>((cell.flags & ~(several_warps | mixed_clocks | read_site)) |
                                         (place.site ? read_site : 0));
}

/// A read by a lane at another clock than the readers so far. Those ordered before it may be forgotten: what is
/// ordered after it is ordered after them.
inline void add_mixed_reader(Cell& cell, const Accessor& self, Place place) {
  if (lanes_ordered(cell, self)) return set_reader(cell, self, place);
  auto& clocks = (*self.mixed)[&cell];
  if ((cell.flags & mixed_clocks) == 0) clocks.fill(cell.read_clock);
  clocks[self.lane] = self.clock;
  cell.read_lanes |= 1u << self.lane;
  cell.flags |= mixed_clocks;
}

template <Space space>
void add_reader(Cell& cell, const Accessor& self, Place place) {
  if (cell.read_block != self.block) {
    if (space == Space::global && cell.read_block >= self.first_block) {
      cell.flags |= several_blocks;  // nothing more to know: any write of this launch clashes
      return;
    }
    cell.flags = static_cast<std::uint8_t>(cell.flags & ~several_blocks);
    return set_reader(cell, self, place);
  }
  if (cell.read_epoch != self.epoch) return set_reader(cell, self, place);
  if ((cell.flags & several_warps) != 0) return;
  if (cell.read_warp != self.warp) {
    cell.flags |= several_warps;  // no warp can be ordered after both within the epoch
  } else if (cell.read_clock == self.clock && (cell.flags & mixed_clocks) == 0) {
    cell.read_lanes |= 1u << self.lane;
  } else {
    add_mixed_reader(cell, self, place);
  }
}

template <Space space>
Clash read(Cell& cell, const Accessor& self, Place place, bool initialised) {
  if (!write_ordered<space>(cell, self)) return Clash::read_after_write;
  const bool written = space == Space::shared ? cell.write_block == self.block : cell.write_block != 0;
  if (!written && !initialised) return Clash::uninitialised;
  if ((cell.flags & pending) != 0 && cell.write_block == self.block) return Clash::in_flight;
  add_reader<space>(cell, self, place);
  return Clash::none;
}

template <Space space>
Clash write(Cell& cell, const Accessor& self, Place place, Kind kind) {
  if (!write_ordered<space>(cell, self)) return Clash::write_after_write;
  if ((cell.flags & pending) != 0 && cell.write_block == self.block && kind != Kind::land) return Clash::in_flight;
  if (!reads_ordered<space>(cell, self)) return Clash::write_after_read;
  cell.write_block = self.block;
  cell.write_epoch = self.epoch;
  cell.write_place = place.value;
  cell.write_thread = self.thread;
  cell.write_clock = self.clock;
  cell.read_block = 0;
  cell.flags = static_cast<std::uint8_t>((cell.flags & split) | (place.site ? write_site : 0) |
                                         (kind == Kind::issue ? pending : 0));
  return Clash::none;
}

}  // namespace deltaproof::shadow
