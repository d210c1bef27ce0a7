#include "kernels/simt/launch_state.hpp"

#include <fmt/format.h>

#include <cstring>

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
  std::string text = "kernel " + kernel_name(request);
  if (has_block_) text += fmt::format(", block ({}, {}, {})", block_.x, block_.y, block_.z);
  if (has_thread_) text += fmt::format(", thread ({}, {}, {})", thread_.x, thread_.y, thread_.z);
  if (file_ != nullptr) text += line_ > 0 ? fmt::format(", at {}:{}", file_, line_) : fmt::format(", at {}", file_);
  return text + ": " + what_.data();
}

simt_index block_index(const simt_launch_request& request, std::uint64_t block) {
  const simt_index& grid = request.grid;
  return {static_cast<std::uint32_t>(block % grid.x), static_cast<std::uint32_t>(block / grid.x % grid.y),
          static_cast<std::uint32_t>(block / grid.x / grid.y)};
}

}  // namespace deltaproof
