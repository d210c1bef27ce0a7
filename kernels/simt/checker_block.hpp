#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/simt/checker_memory.hpp"
#include "kernels/simt/checker_sources.hpp"
#include "kernels/simt/shadow.hpp"

namespace deltaproof::checker {

/// Where an access stands in the program.
struct Origin {
  std::uintptr_t code = 0;     ///< return address of the callback; 0: a call into the executor
  const char* file = nullptr;
  int line = 0;
  std::uint32_t site = 0;      ///< its number in the launch's view
};

/// The checker of one worker: follows the threads of one block at a time and judges their accesses.
class BlockChecker {
 public:
  BlockChecker(LaunchView& view, std::uint64_t step_budget);

  void begin(const BlockMemory& memory);
  void end();
  void barrier();
  void warp_barrier(std::uint32_t warp, std::uint32_t mask);
  void switch_to(const RunningThread& thread);

  /// An access of the running thread from instrumented code. Does not return if it finds something.
  void instrumented(const void* address, std::size_t bytes, bool is_write, const void* code);
  /// Ends the launch: the access is to a type with a larger alignment than its address has.
  [[noreturn]] void misaligned(const void* address, std::size_t bytes, bool is_write, const void* code);
  /// As `instrumented`, from a call into the executor.
  void from_executor(const void* address, std::size_t bytes, Access access, const char* file, int line);
  /// Ends the launch: a compiler's check found an index out of the bounds of its array.
  [[noreturn]] void index_out_of_bounds(const char* file, int line, std::int64_t index, const char* type);

  std::uint64_t accesses() const { return accesses_ + (budget_ - steps_left_); }

 private:
  struct SharedRegion {
    Span allowed;       ///< what the launch asked for
    Span capacity;      ///< and the executor's canary after it
    const char* name;
    shadow::Shadow shadow;
  };

  void check(std::uintptr_t address, std::size_t bytes, shadow::Kind kind, const Origin& origin);
  bool check_shared(std::uintptr_t address, std::size_t bytes, shadow::Kind kind, const Origin& origin);
  bool check_global(std::uintptr_t address, std::size_t bytes, shadow::Kind kind, const Origin& origin);
  bool readable(std::uintptr_t address, std::size_t bytes) const;
  void enter_shared(SharedRegion& home, std::uintptr_t address, std::size_t bytes, shadow::Kind kind,
                    const Origin& origin);
  const Region* find_region(std::uintptr_t address);
  std::uint32_t site(const char* file, int line);
  void follow_source(std::uintptr_t address, std::size_t bytes, Access access, std::uint32_t site);
  void set_region(SharedRegion& region, const MemoryRange& range, const char* name);
  void refresh();

  // checker_report.cpp
  [[noreturn]] void report_bounds(std::uintptr_t address, std::size_t bytes, shadow::Kind kind,
                                  const Origin& origin);
  [[noreturn]] void report_finding(const shadow::Finding& finding, const char* place, std::size_t bytes,
                                   shadow::Kind kind, const Origin& origin);
  [[noreturn]] void report_source(const OpenSource& source, std::uintptr_t address, std::size_t bytes,
                                  const Origin& origin);
  [[noreturn]] void report_steps(const Origin& origin);
  [[noreturn]] void fail(const Origin& origin);
  const char* describe(std::uintptr_t address, std::size_t bytes);
  bool describe_static(std::uintptr_t address, std::size_t bytes);
  const char* thread_name(std::uint32_t thread, std::uint32_t block, bool other_block, char (&out)[128]) const;
  const char* earlier_place(std::uint32_t place, bool is_site, char (&out)[512]) const;

  LaunchView& view_;
  std::uint64_t budget_, steps_left_, accesses_ = 0;
  const RunningThread* thread_ = nullptr;
  Span stack_;
  SharedRegion static_, dynamic_;
  SharedRegion* dynamic_home_ = &dynamic_;  ///< whose shadow covers the dynamic array: it may lie in `static_`
  bool concurrent_ = false;
  std::array<const Region*, 4> recent_regions_{};
  std::size_t next_recent_ = 0;
  struct RecentSite {
    const char* file;
    int line;
    std::uint32_t number;
  };
  std::array<RecentSite, 16> recent_sites_{};  ///< by line
  OpenSources sources_;  ///< of the block's copies in flight
  shadow::Accessor self_;
  shadow::MixedReads mixed_;
  std::vector<std::array<std::array<std::uint16_t, 32>, 32>> clocks_;  ///< [warp][lane][lane seen]
  std::uint32_t moved_warps_ = 0;                                      ///< whose clocks are not at the start
  char message_[1536] = {};
  char where_[768] = {};
  char file_[512] = {};
};

/// The checker of the block that the calling OS thread runs; null outside checked blocks.
extern thread_local constinit BlockChecker* running_checker;

}  // namespace deltaproof::checker
