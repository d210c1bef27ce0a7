#pragma once

#include <cstddef>

#include "kernels/simt/shadow_cell.hpp"

namespace deltaproof::shadow {

/// A clash, with the earlier access as its cell holds it.
struct Finding {
  Clash clash;
  std::size_t offset;  ///< of the first byte concerned, in its memory
  Cell before;
};

/// Cells of one memory. One cell covers a granule until its bytes are used differently; then each byte has its
/// own, until a write covers the whole granule again. Memory is taken when first used.
class Shadow {
 public:
  Shadow() = default;
  /// `bytes` of memory in granules of 1, 2 or 4 bytes. Throws `std::runtime_error` if there is no memory.
  Shadow(std::size_t bytes, std::size_t granule);
  Shadow(Shadow&& other) noexcept;
  Shadow& operator=(Shadow&& other) noexcept;
  ~Shadow();

  std::size_t bytes() const { return bytes_; }
  /// Forgets everything.
  void clear();

  /// Enters an access of `size` bytes at `offset`, which the caller has found to be inside. `initialised`: the
  /// memory held values before. `concurrent`: other OS threads use the shadow too. On a clash, the rest of the
  /// access is not entered.
  template <Space space>
  Clash access(std::size_t offset, std::size_t size, Kind kind, const Accessor& self, Place place,
               bool initialised, bool concurrent, Finding& finding);

 private:
  template <Space space>
  Clash access_granule(std::size_t granule, std::size_t begin, std::size_t end, Kind kind, const Accessor& self,
                       Place place, bool initialised, Finding& finding);
  void split_granule(std::size_t granule, MixedReads& mixed);

  std::size_t bytes_ = 0;
  unsigned shift_ = 0;         ///< log2 of the granule
  Cell* cells_ = nullptr;      ///< one a granule
  Cell* byte_cells_ = nullptr; ///< one a byte, of split granules
};

}  // namespace deltaproof::shadow
