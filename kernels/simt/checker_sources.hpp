#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace deltaproof::checker {

/// Global memory that a cp.async in flight may still read.
struct OpenSource {
  std::uintptr_t address;  ///< a multiple of 16
  std::size_t bytes;       ///< up to 16
  std::uint32_t thread;
  std::uint32_t site;      ///< the call that issued it
  bool operator==(const OpenSource&) const = default;
};

/// The sources of one block's copies between issue and wait. Several copies may have the same.
class OpenSources {
 public:
  bool empty() const { return sources_.empty(); }
  void clear() { sources_.clear(); }
  void open(const OpenSource& source);
  void close(const OpenSource& source);
  /// A source that holds one of the bytes; null: none.
  const OpenSource* overlap(std::uintptr_t address, std::size_t bytes) const;

 private:
  std::unordered_multimap<std::uintptr_t, OpenSource> sources_;  ///< by address
};

}  // namespace deltaproof::checker
