#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace deltaproof {

/// The watchdog of all launches of the process: one thread, which begins with the first of them. A thread of its own
/// for each would cost a small launch, and on a busy machine any launch, more than it computes.
class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  /// A launch, and the threads that work for it just now.
  struct Launch {
    Clock::time_point end = Clock::time_point::max();  ///< its workers are interrupted then
    Clock::duration pause = std::chrono::milliseconds(1);  ///< and again after this, which doubles up to 16 ms
    std::vector<pthread_t> workers{};
  };

  static Watchdog& of_process();
  ~Watchdog();

  /// From here until `remove` the launch must stay where it is.
  void add(Launch& launch);
  void remove(Launch& launch);
  /// The calling thread works for the launch, or does no longer.
  void enter(Launch& launch);
  void leave(Launch& launch);

 private:
  Watchdog() = default;
  void serve();
  Clock::time_point interrupt_late(Clock::time_point now);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Launch*> launches_;
  Clock::time_point next_ = Clock::time_point::min();  ///< when the thread looks again by itself
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace deltaproof
