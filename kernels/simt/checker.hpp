#pragma once

#include <cstdint>
#include <memory>

#include "kernels/simt/checker_hooks.hpp"
#include "kernels/simt/host_memory.hpp"

namespace deltaproof {

struct CheckerOptions {
  /// Accesses that one thread may make without a call into the executor; more are taken for an endless loop.
  std::uint64_t step_budget = std::uint64_t{1} << 30;
};

/// Finds races, accesses out of bounds and uninitialised reads of kernels whose library was compiled with
/// `-fsanitize=thread` (docs/kernel-checker.md). What it finds depends on the input, not on the schedule. The
/// first finding ends the launch with an error. Of a library without instrumentation it sees only ldmatrix and
/// cp.async.
///
/// One checker serves the launches of one problem, one after another; what earlier launches wrote to `memory`
/// counts as initialised for later ones. `memory` must outlive it; buffers may be added between launches.
class Checker final : public CheckerHooks {
 public:
  explicit Checker(const HostMemory& memory, CheckerOptions options = {});
  ~Checker() override;

  void launch_begin(const LaunchMemory& memory) override;
  void launch_end(const LaunchMemory& memory) override;
  void block_begin(const BlockMemory& memory) override;
  void block_end(const BlockMemory& memory) override;
  void block_barrier(const BlockMemory& memory) override;
  void warp_barrier(const BlockMemory& memory, std::uint32_t warp, std::uint32_t mask) override;
  void switched_in(const RunningThread& thread) override;
  void access(const RunningThread& thread, const void* address, std::size_t bytes, Access access, const char* file,
              int line) override;

  /// Instrumented accesses since the checker was made: 0 after a launch means that the library was compiled
  /// without instrumentation.
  std::uint64_t accesses() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace deltaproof
