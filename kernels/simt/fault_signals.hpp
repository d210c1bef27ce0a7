#pragma once

#include <chrono>
#include <memory>

#include "kernels/simt/checker_hooks.hpp"
#include "kernels/simt/host_memory.hpp"

namespace deltaproof {

struct LaunchGuardOptions {
  /// Names the buffer next to a bad address, and is checked after launches.
  const HostMemory* memory = nullptr;
  std::chrono::duration<double> timeout{0};  ///< seconds that one launch may take, however few; 0: no limit
  CheckerHooks* checker = nullptr;           ///< told of everything too; null: none
};

/// Keeps the process alive when a kernel crashes or hangs. Given to the executor as its checker. While a launch
/// runs, SIGSEGV, SIGBUS, SIGFPE and SIGILL of kernel code become a fault of the launch that names the address'
/// buffer and the source line, and a kernel that runs longer than `timeout` is ended where it is. Signals from
/// anywhere else go to the handlers that were there before, which `launch_end` restores.
///
/// Off under AddressSanitizer, which has handlers of its own. For the launches of one problem, one after another.
/// A kernel that spends its time in the executor (a loop of barriers) is ended by the executor's step budget.
class LaunchGuard final : public CheckerHooks {
 public:
  /// Throws `std::invalid_argument` for a timeout below 0 or NaN.
  explicit LaunchGuard(LaunchGuardOptions options);
  ~LaunchGuard() override;

  void launch_begin(const LaunchMemory& memory) override;
  /// Throws `std::runtime_error`, which the executor makes the launch's error, if the kernel wrote into the slack
  /// of a buffer.
  void launch_end(const LaunchMemory& memory) override;
  void block_begin(const BlockMemory& memory) override;
  void block_end(const BlockMemory& memory) override;
  void block_barrier(const BlockMemory& memory) override;
  void warp_barrier(const BlockMemory& memory, std::uint32_t warp, std::uint32_t mask) override;
  void switched_in(const RunningThread& thread) override;
  void access(const RunningThread& thread, const void* address, std::size_t bytes, Access access, const char* file,
              int line) override;

 private:
  class Watch;

  LaunchGuardOptions options_;
  std::unique_ptr<Watch> watch_;
};

}  // namespace deltaproof
