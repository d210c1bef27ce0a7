#include "kernels/simt/fault_signals.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kernels/simt/fault_signals_handler.hpp"

namespace deltaproof {

#if defined(__SANITIZE_ADDRESS__)
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

/// The watchdog of one launch and the threads that work for it.
class LaunchGuard::Watch {
 public:
  Watch(const LaunchMemory& launch, const LaunchGuardOptions& options) {
    context_.memory = options.memory;
    context_.timeout_s = options.timeout.count();
    faults::find_code(reinterpret_cast<const void*>(launch.request->body), context_);
    faults::install_handlers();
    if (options.timeout.count() > 0) {
      watchdog_ = std::thread([this, time = clock_time(options.timeout)] { wait(time); });
    }
  }

  ~Watch() {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    if (watchdog_.joinable()) watchdog_.join();
    faults::remove_handlers();
  }

  void enter() {
    const std::scoped_lock lock(mutex_);
    workers_.push_back(pthread_self());
    faults::enter_context(&context_);
  }

  void leave() {
    faults::enter_context(nullptr);
    const std::scoped_lock lock(mutex_);
    const auto same = [](pthread_t worker) { return pthread_equal(worker, pthread_self()) != 0; };
    workers_.erase(std::remove_if(workers_.begin(), workers_.end(), same), workers_.end());
  }

 private:
  /// After the timeout, interrupts the workers again and again: an interrupt counts only in kernel code.
  void wait(std::chrono::nanoseconds timeout) {
    constexpr std::chrono::milliseconds again{1};
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, timeout, [this] { return ended_; })) return;
    do {
      for (const pthread_t worker : workers_) pthread_kill(worker, faults::interrupt_signal());
    } while (!changed_.wait_for(lock, again, [this] { return ended_; }));
  }

  faults::Context context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::vector<pthread_t> workers_;
  std::thread watchdog_;
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
