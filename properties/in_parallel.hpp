#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace deltaproof {

/// Calls work(0) .. work(count - 1), each once, on `threads` threads (0: all cores); what a call writes must be its
/// own. `progress` is told the share done, one call at a time. The first exception, of either,
/// ends the rest and is thrown again.
inline void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work,
                        const std::function<void(double)>& progress = {}) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // of what follows
  std::size_t done = 0;
  std::exception_ptr error;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) progress(static_cast<double>(done) / static_cast<double>(count));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        next = count;
        return;
      }
    }
  };
  const auto wanted =
      threads > 0 ? static_cast<std::size_t>(threads) : std::size_t{std::thread::hardware_concurrency()};
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(wanted, count); ++i) others.emplace_back(run);
    run();
  }  // joins them
  if (error) std::rethrow_exception(error);
}

}  // namespace deltaproof
