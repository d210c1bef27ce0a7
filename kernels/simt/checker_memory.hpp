#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/simt/checker_hooks.hpp"
#include "kernels/simt/checker_symbols.hpp"
#include "kernels/simt/host_memory.hpp"
#include "kernels/simt/shadow.hpp"

namespace deltaproof::checker {

/// A buffer as the checker looks at it during a launch.
struct Region {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  const HostBuffer* buffer = nullptr;
  shadow::Shadow* shadow = nullptr;  ///< null: read only, so nothing can race and all is initialised
  bool initialised = false;
};

struct Span {
  std::uintptr_t begin = 0;
  std::uintptr_t size = 0;
  bool holds(std::uintptr_t address, std::size_t bytes) const {
    return address - begin < size && bytes <= size - (address - begin);
  }
};

/// A call into the executor that touched memory.
struct Site {
  const char* file;
  int line;
};

/// What all workers of a launch share. Built between launches, then only read; `sites` locks.
class LaunchView {
 public:
  explicit LaunchView(const HostMemory& memory) : memory_(memory) {}

  /// Takes in the buffers, and the segments of the kernel's library. Throws `std::runtime_error` if shadow
  /// memory cannot be had, or after 2^32 blocks.
  void begin(const LaunchMemory& launch);

  const HostMemory& memory() const { return memory_; }
  const LaunchMemory& launch() const { return launch_; }
  const std::vector<Region>& regions() const { return regions_; }  ///< by address
  /// The region that begins at or before the address; null: none.
  const Region* find(std::uintptr_t address) const;
  const std::vector<Span>& library() const { return library_; }
  std::uintptr_t code() const { return code_; }  ///< an address in the kernel's code
  /// The array that holds the bytes from `offset` of the library's static shared memory on; null: none holds all.
  const SharedVariable* shared_variable(std::size_t offset, std::size_t bytes) const;
  /// The last array that begins at or before `offset`; null: none.
  const SharedVariable* shared_variable_before(std::size_t offset) const;
  /// Whether the library's symbols say where its arrays lie.
  bool knows_shared_variables() const { return !shared_variables_.empty(); }
  std::uint32_t first_block() const { return first_block_; }

  std::uint32_t site(const char* file, int line);
  Site site(std::uint32_t number) const;

 private:
  struct Tracked {
    const HostBuffer* buffer;
    unsigned generation;
    std::unique_ptr<shadow::Shadow> shadow;
  };
  shadow::Shadow* track(const HostBuffer& buffer);
  void find_library();

  const HostMemory& memory_;
  LaunchMemory launch_{};
  std::deque<Tracked> tracked_;
  std::vector<Region> regions_;
  std::vector<Span> library_;
  std::uintptr_t code_ = 0;
  std::vector<SharedVariable> shared_variables_;
  std::vector<std::uint16_t> variable_of_word_;  ///< 1 + the first array that has a byte of the 4-byte word; 0: none
  std::uint32_t first_block_ = 1, next_block_ = 1;
  mutable std::mutex sites_mutex_;
  std::deque<Site> sites_;
};

}  // namespace deltaproof::checker
