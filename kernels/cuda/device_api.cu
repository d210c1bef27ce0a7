#include "kernels/cuda/device_api.hpp"

#include "kernels/cuda/device_memory.hpp"
#include "kernels/cuda/device_query.hpp"
#include "kernels/cuda/status.hpp"

namespace deltaproof {
namespace {

int count(std::int32_t* devices, char* error, std::size_t capacity) {
  std::string reason;
  *devices = count_devices(reason);
  if (capacity > 0) std::snprintf(error, capacity, "%s", reason.c_str());
  return 0;
}

int properties(std::int32_t device, DeviceProperties* result, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] { *result = query_device(device); });
}

int select(std::int32_t device, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] {
    require_success(cudaSetDevice(device), "cudaSetDevice(" + std::to_string(device) + ")");
  });
}

int allocate(std::size_t bytes, DeviceBuffer* buffer, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] { *buffer = allocate_guarded(bytes); });
}

int poison_buffer(const DeviceBuffer* buffer, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] { poison(*buffer); });
}

int check_buffer(const DeviceBuffer* buffer, const char* name, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] { check_guards(*buffer, name); });
}

int release_buffer(DeviceBuffer* buffer, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] { release(*buffer); });
}

int copy_in(void* device, const void* host, std::size_t bytes, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] {
    require_success(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice),
                    "cudaMemcpy(" + std::to_string(bytes) + " bytes to the device)");
  });
}

int copy_out(void* host, const void* device, std::size_t bytes, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] {
    require_success(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost),
                    "cudaMemcpy(" + std::to_string(bytes) + " bytes to the host)");
  });
}

/// A stream that waits for the default stream and it for this one: copies use that.
int create_stream(void** stream, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] {
    cudaStream_t made = nullptr;
    require_success(cudaStreamCreate(&made), "cudaStreamCreate");
    *stream = made;
  });
}

int synchronise(void* stream, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] {
    require_success(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "cudaStreamSynchronize");
  });
}

int destroy_stream(void* stream, char* error, std::size_t capacity) {
  return guarded(error, capacity, [&] {
    require_success(cudaStreamDestroy(static_cast<cudaStream_t>(stream)), "cudaStreamDestroy");
  });
}

constexpr DeviceApi api{1,        count,   properties, select,        allocate,    poison_buffer, check_buffer,
                        release_buffer, copy_in, copy_out,   create_stream, synchronise, destroy_stream};

}  // namespace
}  // namespace deltaproof

extern "C" const deltaproof::DeviceApi* deltaproof_device_api() { return &deltaproof::api; }
