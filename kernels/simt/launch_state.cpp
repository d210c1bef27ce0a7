#include "kernels/simt/launch_state.hpp"

#include <cstring>

#include "kernels/simt/fault_text.hpp"
#include "kernels/simt/launch_kernel_name.hpp"

namespace deltaproof {

LaunchState::LaunchState(const simt_launch_request& launch, const ExecutorOptions& chosen)
    : request(launch), options(chosen),
      tensor_core(chosen.tensor_core != nullptr ? *chosen.tensor_core : deltaproof::tensor_core("hopper")),
      threads(launch.block.x * launch.block.y * launch.block.z),
      blocks(std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z) {}

void LaunchState::fail(const simt_index* block, const simt_index* thread, const char* what, const char* file,
                       int line) noexcept {
  if (claimed_.test_and_set()) return;
  has_block_ = block != nullptr;
  has_thread_ = thread != nullptr;
  if (has_block_) block_ = *block;
  if (has_thread_) thread_ = *thread;
  file_ = file;
  line_ = line;
  std::strncpy(what_.data(), what, what_.size() - 1);
  stopped_.store(true);
}

std::string LaunchState::fault() const {
  LaunchFault fault;
  fault.kernel = kernel_name(request);
  if (has_block_) fault.block = block_;
  if (has_thread_) fault.thread = thread_;
  if (file_ != nullptr) fault.file = file_;
  fault.line = line_;
  fault.what = what_.data();
  return to_string(fault);
}

simt_index block_index(const simt_launch_request& request, std::uint64_t block) {
  const simt_index& grid = request.grid;
  return {static_cast<std::uint32_t>(block % grid.x), static_cast<std::uint32_t>(block / grid.x % grid.y),
          static_cast<std::uint32_t>(block / grid.x / grid.y)};
}

}  // namespace deltaproof
