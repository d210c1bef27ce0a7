#pragma once

#include <cstddef>
#include <cstdint>

/// What the native kernel library offers of the CUDA runtime, in plain C types: the executable knows no CUDA header.
/// The symbol is `deltaproof_device_api`. Functions return 0, or 1 with a message that names the CUDA call in
/// `error`, cut to `capacity` bytes. They act on the device that the calling OS thread has selected.
namespace deltaproof {

struct DeviceProperties {
  char name[256];
  std::int32_t major, minor;       ///< compute capability
  std::int32_t multiprocessors;
  std::int32_t runtime_version;    ///< CUDA runtime: 13000 is 13.0
  std::int32_t driver_version;     ///< newest CUDA that the driver can run, likewise
  char driver_release[64];         ///< "580.82.07"; empty if the system does not tell
  std::size_t memory_bytes;
};

/// `bytes` bytes at `data`, aligned to 256, between two guard zones.
struct DeviceBuffer {
  void* data;
  std::size_t bytes;
  void* allocation;
};

struct DeviceApi {
  std::uint32_t version;  ///< of this header: 1
  /// Without a device, or a driver, 0 devices and the reason in `error`: "no CUDA device: ...". Never fails.
  int (*count)(std::int32_t* devices, char* error, std::size_t capacity);
  int (*properties)(std::int32_t device, DeviceProperties* properties, char* error, std::size_t capacity);
  int (*select)(std::int32_t device, char* error, std::size_t capacity);

  /// Contents are poisoned: 0xFF. The guard zones hold a pattern that is NaN in every float type of 16 bits or more.
  int (*allocate)(std::size_t bytes, DeviceBuffer* buffer, char* error, std::size_t capacity);
  int (*poison)(const DeviceBuffer* buffer, char* error, std::size_t capacity);
  /// After a run: fails if a byte of a guard zone was changed, and says which, and of what buffer (`name`).
  int (*check_guards)(const DeviceBuffer* buffer, const char* name, char* error, std::size_t capacity);
  /// Looks at nothing; `buffer` is empty afterwards.
  int (*release)(DeviceBuffer* buffer, char* error, std::size_t capacity);
  /// Within one buffer. Ordered before and after what runs on the streams made here.
  int (*copy_in)(void* device, const void* host, std::size_t bytes, char* error, std::size_t capacity);
  int (*copy_out)(void* host, const void* device, std::size_t bytes, char* error, std::size_t capacity);

  int (*create_stream)(void** stream, char* error, std::size_t capacity);
  int (*synchronise)(void* stream, char* error, std::size_t capacity);
  int (*destroy_stream)(void* stream, char* error, std::size_t capacity);
};
using DeviceApiFunction = const DeviceApi* (*)();

}  // namespace deltaproof

extern "C" const deltaproof::DeviceApi* deltaproof_device_api();
