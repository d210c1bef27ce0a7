#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "kernels/simt/abi.hpp"
#include "kernels/simt/executor.hpp"

namespace deltaproof {

struct RunningThread;

/// One launch: what all its blocks share, and its first fault.
class LaunchState {
 public:
  LaunchState(const simt_launch_request& request, const ExecutorOptions& options);

  const simt_launch_request& request;
  const ExecutorOptions options;
  const TensorCoreModel& tensor_core;
  const std::uint32_t threads;  ///< of a block
  const std::uint64_t blocks;

  /// Keeps the first fault and has all blocks stop. `thread` null: of the block as a whole, or of no block.
  /// Allocates nothing.
  void fail(const simt_index* block, const simt_index* thread, const char* what, const char* file, int line) noexcept;
  bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }
  /// The message (LaunchFault). Call when no block runs any more.
  std::string fault() const;

 private:
  std::atomic_flag claimed_;
  std::atomic<bool> stopped_ = false;
  bool has_block_ = false, has_thread_ = false;
  simt_index block_{}, thread_{};
  const char* file_ = nullptr;
  int line_ = 0;
  std::array<char, 8192> what_{};
};

simt_index block_index(const simt_launch_request& request, std::uint64_t block);

}  // namespace deltaproof
