#include <fmt/format.h>

#include <array>
#include <list>
#include <string_view>
#include <utility>

#include "kernels/built_in/kernel_library.hpp"
#include "kernels/built_in/open_device.hpp"
#include "kernels/cuda/device_api.hpp"

namespace deltaproof {
namespace {

constexpr const char* library_file = "libdeltaproof_kernels_cuda.so";
using Message = std::array<char, 4096>;

// Calls a function of the interface, with its message as the error.
template <class Function, class... Arguments>
void checked(Function function, Arguments... arguments) {
  Message error{};
  if (function(arguments..., error.data(), error.size()) != 0) throw KernelError(error.data());
}

struct Buffer {
  DeviceBuffer memory{};
  std::string name;
};

class CudaRun : public DeviceRun {
 public:
  explicit CudaRun(const DeviceApi& api) : api_(api) { checked(api_.create_stream, &stream_); }
  CudaRun(const CudaRun&) = delete;
  CudaRun& operator=(const CudaRun&) = delete;
  // What cannot be released has been lost by a fault that was reported before.
  ~CudaRun() override {
    Message ignored{};
    for (Buffer& buffer : buffers_) api_.release(&buffer.memory, ignored.data(), ignored.size());
    api_.destroy_stream(stream_, ignored.data(), ignored.size());
  }

  void* input(const BufferLabel& label, std::span<const std::byte> bytes) override { return in_place(label, bytes); }
  void* in_place(const BufferLabel& label, std::span<const std::byte> bytes) override {
    void* const data = output(label, bytes.size());
    if (!bytes.empty()) checked(api_.copy_in, data, static_cast<const void*>(bytes.data()), bytes.size());
    return data;
  }
  void* output(const BufferLabel& label, std::size_t bytes) override {
    Buffer& buffer = buffers_.emplace_back();
    buffer.name = label.name + (label.shape.empty() ? "" : " " + label.shape);
    checked(api_.allocate, bytes, &buffer.memory);
    return buffer.memory.data;
  }
  void call(const KernelEntry& entry, const KernelCall& call) override { launch(entry, call); }
  void call(const SolveEntry& entry, const SolveCall& call) override { launch(entry, call); }
  void call(const HolaEntry& entry, const HolaCall& call) override { launch(entry, call); }
  std::vector<std::byte> read(const void* buffer, std::size_t bytes) override {
    std::vector<std::byte> result(bytes);
    if (bytes > 0) checked(api_.copy_out, static_cast<void*>(result.data()), buffer, bytes);
    return result;
  }

 private:
  template <class Entry, class Call>
  void launch(const Entry& entry, const Call& call) {
    Message error{};
    if (entry.run(call, stream_, error.data(), error.size()) != 0) {
      throw KernelError(fmt::format("{}: {}", entry.name, error.data()));
    }
    checked(api_.synchronise, stream_);
    for (const Buffer& buffer : buffers_) checked(api_.check_guards, &buffer.memory, buffer.name.c_str());
  }

  const DeviceApi& api_;
  void* stream_ = nullptr;
  std::list<Buffer> buffers_;
};

std::string release_of(std::int32_t version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

class CudaDevice : public Device {
 public:
  explicit CudaDevice(std::unique_ptr<OpenLibrary> library) : library_(std::move(library)) {
    api_ = library_->module().function<DeviceApiFunction>("deltaproof_device_api")();
    std::int32_t devices = 0;
    Message why{};
    api_->count(&devices, why.data(), why.size());
    if (devices == 0) throw NoDevice(why.data());
    checked(api_->select, 0);
    checked(api_->properties, 0, &properties_);
  }
  const KernelLibrary& library() const override { return library_->library(); }
  std::unique_ptr<DeviceRun> begin() const override { return std::make_unique<CudaRun>(*api_); }
  // CUDA C++ Programming Guide, compute capabilities.
  const TensorCoreModel& tensor_core() const override {
    const std::int32_t capability = 10 * properties_.major + properties_.minor;
    const char* name = capability >= 100   ? "blackwell"
                       : capability >= 90 ? "hopper"
                       : capability >= 89 ? "ada"
                       : capability >= 80 ? "ampere"
                                          : nullptr;
    if (name == nullptr) {
      throw KernelError(
          fmt::format("{} (sm_{}) is older than the kernels, which want sm_80", properties_.name, capability));
    }
    return deltaproof::tensor_core(name);
  }
  Provenance provenance() const override {
    Provenance made;
    made.source_hash = library().source_hash;
    made.compiler = library().compiler;
    made.flags = library().flags;
    made.device = fmt::format("{} (sm_{}{})", properties_.name, properties_.major, properties_.minor);
    made.driver = fmt::format("{}, CUDA {}, runtime {}", properties_.driver_release,
                              release_of(properties_.driver_version), release_of(properties_.runtime_version));
    return made;
  }

 private:
  std::unique_ptr<OpenLibrary> library_;
  const DeviceApi* api_ = nullptr;
  DeviceProperties properties_{};
};

}  // namespace

std::shared_ptr<const Device> open_cuda_device() {
  if (find_kernel_library(library_file).empty()) {
    throw NoDevice("no CUDA device: this build has no kernels for one (it was made without nvcc)");
  }
  return std::make_shared<CudaDevice>(std::make_unique<OpenLibrary>(library_file));
}

}  // namespace deltaproof
