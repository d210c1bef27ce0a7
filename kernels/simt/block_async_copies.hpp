#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace deltaproof {

/// A cp.async on its way.
struct AsyncCopy {
  std::byte* shared;
  const void* global;
  std::uint32_t global_bytes;  ///< read from `global`; the rest of the 16 is zero
  std::byte bytes[16];         ///< as they were at the call
  std::uint32_t group;
  const char* file;
  int line;
};

/// The copies of one thread, in groups as cp.async.commit_group makes them.
class AsyncCopies {
 public:
  void issue(std::byte* shared, const void* global, std::uint32_t bytes, const char* file, int line);
  void commit() { ++open_group_; }
  /// Lands all but the last `groups_left` committed groups, in the order of issue; `landing(copy)` before each.
  template <class Landing>
  void wait(std::uint32_t groups_left, Landing landing) {
    const std::uint32_t before = open_group_ > groups_left ? open_group_ - groups_left : 0;
    std::size_t count = 0;
    for (; count < copies_.size() && copies_[count].group < before; ++count) {
      landing(copies_[count]);
      land(copies_[count]);
    }
    copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(count));
  }
  /// Whether the source no longer holds what it held at the call: a GPU may read it at any time before the wait.
  static bool source_changed(const AsyncCopy& copy);
  const std::vector<AsyncCopy>& in_flight() const { return copies_; }
  void clear() {
    copies_.clear();
    open_group_ = 0;
  }

 private:
  static void land(const AsyncCopy& copy);

  std::vector<AsyncCopy> copies_;
  std::uint32_t open_group_ = 0;
};

}  // namespace deltaproof
