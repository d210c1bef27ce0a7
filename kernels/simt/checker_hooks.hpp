#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/simt/abi.hpp"

namespace deltaproof {

/// A CUDA thread as the executor runs it: one fiber on one OS thread.
struct RunningThread {
  simt_position position;        ///< what `simt_here` gives the kernel, which reads it by itself
  std::uint32_t index;           ///< in its block: x + block_dim.x (y + block_dim.y z)
  std::uint32_t worker;          ///< OS thread that runs the block: 0 to `LaunchMemory::workers` - 1
  std::uint64_t block;           ///< in its grid, counted as `index` is
  const std::byte* stack_begin;  ///< lowest byte of the fiber's stack
  const std::byte* stack_end;    ///< one past its highest byte
  const char* file;              ///< last call into the executor (barrier, shuffle, ...); null: none yet
  int line;
};

/// The running thread of the calling OS thread; null outside a kernel. Cheap: one thread-local load.
const RunningThread* current_thread();

/// Ends the launch with a fault of the running thread and leaves its fiber for good; other blocks stop at their
/// next switch. `file` null: the place is in `what` or unknown. Allocates nothing, so a signal handler on an
/// alternate stack may call it. The first fault of a launch is the one reported. Call on a kernel's thread only.
[[noreturn]] void fail_running_thread(const char* what, const char* file, int line);

struct MemoryRange {
  const std::byte* begin;
  std::size_t size;      ///< bytes that the kernel may touch
  std::size_t capacity;  ///< bytes that are there; beyond `size` lies the executor's canary
};

struct LaunchMemory {
  const simt_launch_request* request;
  MemoryRange arguments;  ///< may be read by every thread, written by none
  std::uint32_t workers;  ///< OS threads that run blocks
  std::uint64_t blocks;
};

/// Shared memory of one block; each worker has its own. `static_shared` is the whole TLS block of the kernel
/// library: if the dynamic array is defined there, `dynamic_shared` lies inside it and says what is allowed.
struct BlockMemory {
  std::uint32_t worker;
  std::uint64_t block;
  std::uint32_t threads;
  MemoryRange static_shared;   ///< begin null: the library has none
  MemoryRange dynamic_shared;  ///< begin null: none
};

enum class Access {
  read,
  write,
  issue,         ///< cp.async: a write whose bytes are undefined until the thread's `write` of the same bytes
  open_source,   ///< cp.async: a read that may happen at any time until the thread's `close_source` of the same bytes
  close_source,
};

/// What the executor tells a checker. Null hooks cost a test of a pointer. Calls about a block come from the OS
/// thread that runs it; those of different workers overlap in time, and so do those of two launches.
class CheckerHooks {
 public:
  virtual ~CheckerHooks() = default;

  virtual void launch_begin(const LaunchMemory& memory) = 0;
  /// Also after a fault. What it throws becomes the launch's fault, if there was none.
  virtual void launch_end(const LaunchMemory& memory) = 0;
  /// After shared memory was poisoned, before the first thread runs.
  virtual void block_begin(const BlockMemory& memory) = 0;
  /// After the last thread returned, or when the block is given up after a fault.
  virtual void block_end(const BlockMemory& memory) = 0;
  /// Every thread of the block is at a `__syncthreads` and none has gone on.
  virtual void block_barrier(const BlockMemory& memory) = 0;
  /// The lanes in `mask` of a warp are at a `__syncwarp` and none has gone on.
  virtual void warp_barrier(const BlockMemory& memory, std::uint32_t warp, std::uint32_t mask) = 0;
  /// `thread` runs from now on (until the next call).
  virtual void switched_in(const RunningThread& thread) = 0;
  /// Memory touched by the executor for the running thread: ldmatrix, cp.async.
  virtual void access(const RunningThread& thread, const void* address, std::size_t bytes, Access access,
                      const char* file, int line) = 0;
};

}  // namespace deltaproof
