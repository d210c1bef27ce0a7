#pragma once

/// The body of `Shadow::access`, for the two files that enter accesses.

#include <atomic>

#include "kernels/simt/shadow.hpp"

namespace deltaproof::shadow {

/// Held for a few nanoseconds, so waiting spins.
class CellLock {
 public:
  CellLock(Cell& cell, bool concurrent) : flag_(cell.lock), held_(concurrent) {
    while (held_ && flag_.exchange(1, std::memory_order_acquire) != 0) __builtin_ia32_pause();
  }
  ~CellLock() {
    if (held_) flag_.store(0, std::memory_order_release);
  }
  CellLock(const CellLock&) = delete;
  CellLock& operator=(const CellLock&) = delete;

 private:
  std::atomic_ref<std::uint8_t> flag_;
  bool held_;
};

template <Space space>
Clash enter(Cell& cell, Kind kind, const Accessor& self, Place place, bool initialised) {
  return kind == Kind::read ? read<space>(cell, self, place, initialised) : write<space>(cell, self, place, kind);
}

/// Bytes [begin, end) of one granule.
template <Space space>
Clash Shadow::access_granule(std::size_t granule, std::size_t begin, std::size_t end, Kind kind,
                             const Accessor& self, Place place, bool initialised, Finding& finding) {
  Cell& whole = cells_[granule];
  const bool covers = end - begin == std::size_t{1} << shift_;
  if (covers && (whole.flags & split) == 0) {
    const Clash clash = enter<space>(whole, kind, self, place, initialised);
    if (clash != Clash::none) finding = {clash, begin, whole};
    return clash;
  }
  if ((whole.flags & split) == 0) split_granule(granule, *self.mixed);
  for (std::size_t byte = begin; byte < end; ++byte) {
    const Clash clash = enter<space>(byte_cells_[byte], kind, self, place, initialised);
    if (clash == Clash::none) continue;
    finding = {clash, byte, byte_cells_[byte]};
    return clash;
  }
  if (covers && kind != Kind::read) {
    const std::uint8_t lock = whole.lock;
    whole = byte_cells_[begin];
    whole.lock = lock;
  }
  return Clash::none;
}

template <Space space>
Clash Shadow::access(std::size_t offset, std::size_t size, Kind kind, const Accessor& self, Place place,
                     bool initialised, bool concurrent, Finding& finding) {
  const std::size_t end = offset + size;
  const bool lock_cells = space == Space::global && concurrent;
  while (offset < end) {
    const std::size_t granule = offset >> shift_;
    const std::size_t next = (granule + 1) << shift_;
    const std::size_t stop = next < end ? next : end;
    const CellLock lock(cells_[granule], lock_cells);
    const Clash clash =
        access_granule<space>(granule, offset, stop, kind, self, place, initialised, finding);
    if (clash != Clash::none) return clash;
    offset = stop;
  }
  return Clash::none;
}

}  // namespace deltaproof::shadow
