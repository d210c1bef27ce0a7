#include "kernels/simt/watchdog.hpp"

#include <signal.h>

#include <algorithm>

#include "kernels/simt/fault_signals_handler.hpp"

namespace deltaproof {

Watchdog& Watchdog::of_process() {
  static Watchdog watchdog;
  return watchdog;
}

Watchdog::~Watchdog() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::add(Launch& launch) {
  const std::scoped_lock lock(mutex_);
  launches_.push_back(&launch);
  if (launch.end == Clock::time_point::max()) return;
  if (!thread_.joinable()) {
    thread_ = std::thread([this] { serve(); });
  } else if (launch.end < next_) {  // with one limit for all, a later launch has a later end, and nobody is woken
    changed_.notify_all();
  }
}

void Watchdog::remove(Launch& launch) {
  const std::scoped_lock lock(mutex_);
  std::erase(launches_, &launch);
}

void Watchdog::enter(Launch& launch) {
  const std::scoped_lock lock(mutex_);
  launch.workers.push_back(pthread_self());
}

void Watchdog::leave(Launch& launch) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(launch.workers, [](pthread_t worker) { return pthread_equal(worker, pthread_self()) != 0; });
}

// Interrupts again and again, as an interrupt counts only in kernel code, but not at one pace: signals queue up behind a
// thread that is not running, and are then delivered at once, one above the other on its signal stack. Returns when to
// look next.
Watchdog::Clock::time_point Watchdog::interrupt_late(Clock::time_point now) {
  constexpr Clock::duration longest_pause = std::chrono::milliseconds(16);
  Clock::time_point next = Clock::time_point::max();
  for (Launch* launch : launches_) {
    if (launch->end <= now) {
      for (const pthread_t worker : launch->workers) pthread_kill(worker, faults::interrupt_signal());
      launch->end = now + launch->pause;
      launch->pause = std::min(2 * launch->pause, longest_pause);
    }
    next = std::min(next, launch->end);
  }
  return next;
}

void Watchdog::serve() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    next_ = interrupt_late(Clock::now());
    if (next_ == Clock::time_point::max()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, next_);
    }
  }
}

}  // namespace deltaproof
