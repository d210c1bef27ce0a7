#include "kernels/cuda/device_query.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "kernels/cuda/status.hpp"

namespace deltaproof {
namespace {

/// The driver's release from a line such as "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.82.07  Wed ...": its
/// first word of digits and at least one dot.
std::string driver_release() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line, word;
  std::getline(file, line);
  std::istringstream words(line);
  while (words >> word) {
    const bool digits = std::all_of(word.begin(), word.end(), [](char c) {
      return c == '.' || std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
    if (digits && word.find('.') != std::string::npos) return word;
  }
  return "";
}

template <std::size_t capacity>
void copy_text(char (&to)[capacity], const std::string& from) {
  std::snprintf(to, capacity, "%s", from.c_str());
}

}  // namespace

std::int32_t count_devices(std::string& reason) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    cudaGetLastError();
    reason = std::string("no CUDA device: cudaGetDeviceCount: ") + cudaGetErrorString(status) + " (" +
             cudaGetErrorName(status) + ")";
    return 0;
  }
  if (count == 0) reason = "no CUDA device: the driver knows none";
  return count;
}

DeviceProperties query_device(std::int32_t device) {
  cudaDeviceProp found{};
  require_success(cudaGetDeviceProperties(&found, device),
                  "cudaGetDeviceProperties(device " + std::to_string(device) + ")");
  DeviceProperties result{};
  copy_text(result.name, found.name);
  copy_text(result.driver_release, driver_release());
  result.major = found.major;
  result.minor = found.minor;
  result.multiprocessors = found.multiProcessorCount;
  result.memory_bytes = found.totalGlobalMem;
  require_success(cudaRuntimeGetVersion(&result.runtime_version), "cudaRuntimeGetVersion");
  require_success(cudaDriverGetVersion(&result.driver_version), "cudaDriverGetVersion");
  return result;
}

}  // namespace deltaproof
