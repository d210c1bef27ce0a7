#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <thread>

#include "kernels/built_in/kernel_library.hpp"
#include "kernels/built_in/open_device.hpp"
#include "kernels/simt/checker.hpp"
#include "kernels/simt/executor.hpp"
#include "kernels/simt/fault_signals.hpp"

namespace deltaproof {
namespace {

const char* library_file(HostBuild build) {
  switch (build) {
    case HostBuild::checked: return "libdeltaproof_kernels_checked.so";
    case HostBuild::clang: return "libdeltaproof_kernels_clang.so";
    case HostBuild::plain: break;
  }
  return "libdeltaproof_kernels_host.so";
}

const char* build_name(HostBuild build) {
  switch (build) {
    case HostBuild::checked: return ", checked for races and bounds";
    case HostBuild::clang: return ", built with clang";
    case HostBuild::plain: break;
  }
  return "";
}

BufferLayout layout(const BufferLabel& label) {
  return {label.name, label.shape, label.element_bytes, label.alignment};
}

class HostRun : public DeviceRun {
 public:
  explicit HostRun(const HostDeviceOptions& options) : options_(options) {
    if (options.build == HostBuild::checked) checker_.emplace(memory_);
  }

  void* input(const BufferLabel& label, std::span<const std::byte> bytes) override {
    return memory_.input(layout(label), bytes).data();
  }
  void* in_place(const BufferLabel& label, std::span<const std::byte> bytes) override {
    return memory_.in_place(layout(label), bytes).data();
  }
  void* output(const BufferLabel& label, std::size_t bytes) override {
    return memory_.output(layout(label), bytes).data();
  }
  void call(const KernelEntry& entry, const KernelCall& call) override { launch(entry, call); }
  void call(const SolveEntry& entry, const SolveCall& call) override { launch(entry, call); }
  void call(const HolaEntry& entry, const HolaCall& call) override { launch(entry, call); }
  std::vector<std::byte> read(const void* buffer, std::size_t bytes) override {
    const auto* first = static_cast<const std::byte*>(buffer);
    return {first, first + bytes};
  }

 private:
  template <class Entry, class Call>
  void launch(const Entry& entry, const Call& call) {
    const auto timeout = std::chrono::duration<double>(options_.timeout);
    LaunchGuard guard({&memory_, timeout, checker_ ? &*checker_ : nullptr});
    ExecutorOptions executor;
    executor.schedule = options_.schedule;
    executor.seed = options_.seed;
    executor.threads = options_.threads;
    executor.tensor_core = options_.tensor_core;
    executor.checker = &guard;
    const ScopedExecutor scope(executor);
    std::array<char, 4096> error{};
    if (entry.run(call, nullptr, error.data(), error.size()) != 0) {
      throw KernelError(fmt::format("{}: {}", entry.name, error.data()));
    }
    if (checker_ && checker_->accesses() == 0 && !empty(call)) {
      throw KernelError("the checked library was compiled without instrumentation: nothing was checked");
    }
  }

  static bool empty(const KernelCall& call) { return call.B * call.T == 0 && call.final_state == nullptr; }
  static bool empty(const HolaCall& call) { return call.state.B * call.state.T == 0; }
  static bool empty(const SolveCall& call) { return call.batch * call.columns == 0; }

  const HostDeviceOptions& options_;
  HostMemory memory_;
  std::optional<Checker> checker_;
};

class HostDevice : public Device {
 public:
  explicit HostDevice(const HostDeviceOptions& options)
      : options_(options), library_(library_file(options.build), options.folder) {
    if (options_.threads == 0) options_.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (options_.tensor_core == nullptr) options_.tensor_core = &deltaproof::tensor_core("hopper");
  }
  const KernelLibrary& library() const override { return library_.library(); }
  std::unique_ptr<DeviceRun> begin() const override { return std::make_unique<HostRun>(options_); }
  const TensorCoreModel& tensor_core() const override { return *options_.tensor_core; }
  Provenance provenance() const override {
    Provenance made;
    made.source_hash = library().source_hash;
    made.compiler = library().compiler;
    made.flags = library().flags;
    made.device = fmt::format("host executor, schedule {}, seed {}{}", schedule_name(options_.schedule),
                              options_.seed, build_name(options_.build));
    made.tensor_core = options_.tensor_core->name;
    if (!options_.tensor_core->verified) made.tensor_core += " (published, not verified)";
    return made;
  }

 private:
  HostDeviceOptions options_;
  OpenLibrary library_;
};

}  // namespace

bool has_host_build(HostBuild build) { return !find_kernel_library(library_file(build)).empty(); }

std::shared_ptr<const Device> open_host_device(const HostDeviceOptions& options) {
  return std::make_shared<HostDevice>(options);
}

}  // namespace deltaproof
