#include "kernels/simt/launch_state.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <memory>

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
  if (file_ != nullptr) text += fmt::format(", at {}:{}", file_, line_);
  return text + ": " + what_.data();
}

simt_index block_index(const simt_launch_request& request, std::uint64_t block) {
  const simt_index& grid = request.grid;
  return {static_cast<std::uint32_t>(block % grid.x), static_cast<std::uint32_t>(block / grid.x % grid.y),
          static_cast<std::uint32_t>(block / grid.x / grid.y)};
}

std::string kernel_name(const simt_launch_request& request) {
  if (request.kernel != nullptr) return request.kernel;
  Dl_info info{};
  if (request.kernel_address == nullptr || dladdr(request.kernel_address, &info) == 0 || info.dli_sname == nullptr) {
    return "(no name)";
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? demangled.get() : info.dli_sname;
  // "void scale<float>(float*, int)" -> "scale<float>": template functions are mangled with their result.
  if (name.starts_with("void ")) name.erase(0, 5);
  int depth = 0;  // of template arguments, which may hold parentheses
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0 && name.compare(i, 11, "(anonymous ") != 0) return name.substr(0, i);
  }
  return name;
}

}  // namespace deltaproof
