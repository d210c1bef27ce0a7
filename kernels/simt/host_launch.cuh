#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "kernels/simt/abi.hpp"
#include "kernels/simt/host_builtins.cuh"

/// Dynamic shared memory of every kernel of the library: its `extern __shared__ ... shared_bytes[]`
/// (shared_memory_array.cpp).
constexpr std::size_t simt_dynamic_shared_capacity = 227 << 10;
extern "C" constinit thread_local unsigned char simt_dynamic_shared[simt_dynamic_shared_capacity];

namespace simt {

/// A grid, and where it is launched.
struct LaunchGrid {
  dim3 size;
  const char* file;
  int line;
  LaunchGrid(dim3 grid, const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE())
      : size(grid), file(file_), line(line_) {}
  LaunchGrid(unsigned blocks, const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE())
      : size(blocks), file(file_), line(line_) {}
};

/// The device twin's streams: launches on the host end before they return.
class OnStream {
 public:
  explicit OnStream(void*) {}
};
inline void synchronize() {}

/// Copies from the kernels' memory, behind what was launched before.
inline void copy_to_host(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

/// Runs `kernel` on a grid and returns when it has ended. Throws std::runtime_error that says what went wrong where.
template <class... Parameters, class... Arguments>
void launch(LaunchGrid grid, dim3 block, std::size_t dynamic_shared, void (*kernel)(Parameters...),
            Arguments&&... arguments) {
  struct Call {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> arguments;
  };
  Call call{kernel, {std::forward<Arguments>(arguments)...}};
  const auto body = [](void* data) {
    const auto* self = static_cast<const Call*>(data);
    std::apply(self->kernel, self->arguments);
  };
  char error[4096] = "";
  const simt_launch_request request{
      {grid.size.x, grid.size.y, grid.size.z},
      {block.x, block.y, block.z},
      dynamic_shared,
      nullptr,
      body,
      &call,
      sizeof call,
      simt_dynamic_shared,
      simt_dynamic_shared_capacity,
      grid.file,
      grid.line,
      error,
      sizeof error,
      reinterpret_cast<const void*>(kernel),
  };
  if (simt_launch(&request) != 0) throw std::runtime_error(error);
}

}  // namespace simt
