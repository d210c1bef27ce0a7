#include "kernels/simt/fault_signals.hpp"

#include <stdexcept>
#include <string>

#include "kernels/simt/address_sanitizer.hpp"
#include "kernels/simt/fault_signals_handler.hpp"
#include "kernels/simt/watchdog.hpp"

namespace deltaproof {

#ifdef DELTAPROOF_ASAN
constexpr bool active = false;
#else
constexpr bool active = true;
#endif

namespace {

/// Rounded up, so that no limit becomes none; as long as a clock can count, so that none overflows into the past.
std::chrono::nanoseconds clock_time(std::chrono::duration<double> timeout) {
  constexpr std::chrono::hours longest{24 * 365};
  return timeout < longest ? std::chrono::ceil<std::chrono::nanoseconds>(timeout) : longest;
}

}  // namespace

/// Handlers and watchdog of one launch.
class LaunchGuard::Watch {
 public:
  Watch(const LaunchMemory& launch, const LaunchGuardOptions& options) {
    context_.memory = options.memory;
    context_.timeout_s = options.timeout.count();
    faults::find_code(reinterpret_cast<const void*>(launch.request->body), context_);
    faults::install_handlers();
    if (options.timeout.count() > 0) launch_.end = Watchdog::Clock::now() + clock_time(options.timeout);
    watchdog_.add(launch_);
  }

  ~Watch() {
    watchdog_.remove(launch_);
    faults::remove_handlers();
  }

  void enter() {
    watchdog_.enter(launch_);
    faults::enter_context(&context_);
  }

  void leave() {
    faults::enter_context(nullptr);
    watchdog_.leave(launch_);
  }

 private:
  faults::Context context_;
  Watchdog& watchdog_ = Watchdog::of_process();
  Watchdog::Launch launch_;
};

LaunchGuard::LaunchGuard(LaunchGuardOptions options) : options_(options) {
  if (options.timeout.count() >= 0) return;  // NaN is not
  throw std::invalid_argument("timeout of a launch: " + std::to_string(options.timeout.count()) +
                              " s; give a time above 0, or 0 for no limit");
}
LaunchGuard::~LaunchGuard() = default;

void LaunchGuard::launch_begin(const LaunchMemory& memory) {
  if (options_.checker != nullptr) options_.checker->launch_begin(memory);
  if (active) watch_ = std::make_unique<Watch>(memory, options_);
}

void LaunchGuard::launch_end(const LaunchMemory& memory) {
  watch_.reset();
  if (options_.checker != nullptr) options_.checker->launch_end(memory);
  if (options_.memory == nullptr) return;
  if (const auto found = options_.memory->damage()) {
    throw std::runtime_error(*found);
  }
}

void LaunchGuard::block_begin(const BlockMemory& memory) {
  if (watch_) watch_->enter();
  if (options_.checker != nullptr) options_.checker->block_begin(memory);
}

void LaunchGuard::block_end(const BlockMemory& memory) {
  if (options_.checker != nullptr) options_.checker->block_end(memory);
  if (watch_) watch_->leave();
}

void LaunchGuard::block_barrier(const BlockMemory& memory) {
  if (options_.checker != nullptr) options_.checker->block_barrier(memory);
}

void LaunchGuard::warp_barrier(const BlockMemory& memory, std::uint32_t warp, std::uint32_t mask) {
  if (options_.checker != nullptr) options_.checker->warp_barrier(memory, warp, mask);
}

void LaunchGuard::switched_in(const RunningThread& thread) {
  if (options_.checker != nullptr) options_.checker->switched_in(thread);
}

void LaunchGuard::access(const RunningThread& thread, const void* address, std::size_t bytes, Access access,
                         const char* file, int line) {
  if (options_.checker != nullptr) options_.checker->access(thread, address, bytes, access, file, line);
}

}  // namespace deltaproof
