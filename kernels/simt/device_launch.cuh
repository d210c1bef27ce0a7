#pragma once

// Launches on a GPU, every status checked.

#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace simt {

/// Stream of the calling OS thread's launches.
inline thread_local cudaStream_t stream_of_thread = nullptr;
inline cudaStream_t current_stream() { return stream_of_thread; }

/// Launches of the calling OS thread go to `stream` for as long as the object lives.
class OnStream {
 public:
  explicit OnStream(void* stream) : outer_(stream_of_thread) { stream_of_thread = static_cast<cudaStream_t>(stream); }
  ~OnStream() { stream_of_thread = outer_; }
  OnStream(const OnStream&) = delete;
  OnStream& operator=(const OnStream&) = delete;

 private:
  cudaStream_t outer_;
};

/// "CALL: invalid argument (cudaErrorInvalidValue)".
inline std::string status_message(const std::string& call, cudaError_t status) {
  return call + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")";
}

/// Waits for the current stream. Throws std::runtime_error.
inline void synchronize() {
  const cudaError_t status = cudaStreamSynchronize(current_stream());
  if (status != cudaSuccess) throw std::runtime_error(status_message("cudaStreamSynchronize", status));
}

/// Copies from the device's memory, behind what was launched before on the current stream. Throws std::runtime_error.
inline void copy_to_host(void* to, const void* from, std::size_t bytes) {
  const cudaError_t status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, current_stream());
  if (status != cudaSuccess) throw std::runtime_error(status_message("cudaMemcpyAsync to the host", status));
  synchronize();
}

/// A kernel's name as in its source, or as the linker has it; "(name unknown)" if the driver does not tell.
inline std::string kernel_name(const void* kernel) {
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, kernel) != cudaSuccess || mangled == nullptr) {
    cudaGetLastError();
    return "(name unknown)";
  }
  int status = 0;
  char* readable = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  const std::string name = status == 0 ? readable : mangled;
  std::free(readable);
  return name;
}

namespace detail {

inline std::string text(const dim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

/// Dynamic shared memory that every kernel may have; more must be asked for.
constexpr std::size_t shared_for_all = 48 * 1024;

/// Throws unless `status` is success. Clears it, so that it is not reported once more by a later call.
inline void require_launch(cudaError_t status, const char* call, const void* kernel, dim3 grid, dim3 block,
                           std::size_t shared) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw std::runtime_error(status_message(std::string(call) + " for kernel " + kernel_name(kernel) + ", grid " +
                                              text(grid) + ", block " + text(block) + ", " + std::to_string(shared) +
                                              " bytes of dynamic shared memory",
                                          status));
}

inline void launch(dim3 grid, dim3 block, std::size_t shared, const void* kernel, void** arguments) {
  if (shared > shared_for_all) {
    const cudaError_t status =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    require_launch(status, "cudaFuncSetAttribute(MaxDynamicSharedMemorySize)", kernel, grid, block, shared);
  }
  require_launch(cudaLaunchKernel(kernel, grid, block, arguments, shared, current_stream()), "cudaLaunchKernel",
                 kernel, grid, block, shared);
}

}  // namespace detail

/// Starts a grid on the current stream, with `shared` bytes of dynamic shared memory. Arguments are converted to the
/// kernel's parameters. Throws std::runtime_error with call, kernel, grid, block and shared memory; what goes wrong
/// in the kernel itself is reported by `synchronize`.
template <class... Parameters, class... Arguments>
void launch(dim3 grid, dim3 block, std::size_t shared, void (*kernel)(Parameters...), const Arguments&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "as many arguments as the kernel has parameters");
  const auto start = [&](Parameters... values) {
    void* pointers[] = {static_cast<void*>(&values)..., nullptr};
    detail::launch(grid, block, shared, reinterpret_cast<const void*>(kernel), pointers);
  };
  start(arguments...);
}

}  // namespace simt
