#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace deltaproof {

/// Throws std::runtime_error "CALL: invalid argument (cudaErrorInvalidValue)" unless `status` is success.
inline void require_success(cudaError_t status, const std::string& call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // or a later call would report it again
  throw std::runtime_error(call + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")");
}

/// Runs `action`; exceptions must not leave the library: 1, and the message in `error`.
template <class Action>
int guarded(char* error, std::size_t capacity, const Action& action) {
  try {
    action();
    return 0;
  } catch (const std::exception& e) {
    if (capacity > 0) std::snprintf(error, capacity, "%s", e.what());
    return 1;
  }
}

}  // namespace deltaproof
