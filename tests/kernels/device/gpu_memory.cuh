#pragma once

#include <cstddef>
#include <string>

#include "kernels/cuda/status.hpp"

namespace deltaproof {

/// Memory of the GPU for the checks. Throws std::runtime_error.
template <class T>
class GpuArray {
 public:
  explicit GpuArray(std::size_t count) : count_(count) {
    require_success(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc(" + std::to_string(count * sizeof(T)) + ")");
  }
  GpuArray(const T* host, std::size_t count) : GpuArray(count) { write(host); }
  ~GpuArray() { cudaFree(data_); }
  GpuArray(const GpuArray&) = delete;
  GpuArray& operator=(const GpuArray&) = delete;

  T* data() const { return data_; }
  void write(const T* host) {
    require_success(cudaMemcpy(data_, host, count_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
  }
  void read(T* host, std::size_t count) const {
    require_success(cudaMemcpy(host, data_, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
  }
  void read(T* host) const { read(host, count_); }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace deltaproof
