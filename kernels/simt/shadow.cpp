#include "kernels/simt/shadow.hpp"

#include <sys/mman.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace deltaproof::shadow {

namespace {

/// Zeroed, and real only where touched: a shadow is many times as large as its memory.
Cell* map_cells(std::size_t count) {
  if (count == 0) return nullptr;
  void* cells = mmap(nullptr, count * sizeof(Cell), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells != MAP_FAILED) return static_cast<Cell*>(cells);
  throw std::runtime_error("race checker: no memory for " + std::to_string(count) + " shadow cells: mmap: " +
                           std::strerror(errno));
}

void unmap_cells(Cell* cells, std::size_t count) {
  if (cells != nullptr) munmap(cells, count * sizeof(Cell));
}

/// A cell without what belongs to its granule.
Cell byte_of(const Cell& whole) {
  Cell cell = whole;
  cell.lock = 0;
  return cell;
}

}  // namespace

Shadow::Shadow(std::size_t bytes, std::size_t granule)
    : bytes_(bytes), shift_(static_cast<unsigned>(std::countr_zero(granule))) {
  const std::size_t granules = (bytes + granule - 1) >> shift_;
  cells_ = map_cells(granules);
  try {
    if (shift_ != 0) byte_cells_ = map_cells(granules << shift_);
  } catch (...) {
    unmap_cells(cells_, granules);
    throw;
  }
}

Shadow::Shadow(Shadow&& other) noexcept
    : bytes_(std::exchange(other.bytes_, 0)),
      shift_(other.shift_),
      cells_(std::exchange(other.cells_, nullptr)),
      byte_cells_(std::exchange(other.byte_cells_, nullptr)) {}

Shadow& Shadow::operator=(Shadow&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(shift_, other.shift_);
  std::swap(cells_, other.cells_);
  std::swap(byte_cells_, other.byte_cells_);
  return *this;
}

Shadow::~Shadow() {
  const std::size_t granules = (bytes_ + (std::size_t{1} << shift_) - 1) >> shift_;
  unmap_cells(cells_, granules);
  unmap_cells(byte_cells_, granules << shift_);
}

void Shadow::clear() {
  if (bytes_ != 0) *this = Shadow(bytes_, std::size_t{1} << shift_);
}

void Shadow::split_granule(std::size_t granule, MixedReads& mixed) {
  Cell& whole = cells_[granule];
  for (std::size_t byte = granule << shift_; byte < (granule + 1) << shift_; ++byte) {
    byte_cells_[byte] = byte_of(whole);
    const auto clocks = (whole.flags & mixed_clocks) != 0 ? mixed.find(&whole) : mixed.end();
    if (clocks != mixed.end()) {
      const auto copy = clocks->second;  // the insertion may move the map's entries
      mixed[&byte_cells_[byte]] = copy;
    }
  }
  whole.flags |= split;
}

}  // namespace deltaproof::shadow
