#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace deltaproof {

/// Runs work(begin, end) on [0, count) in as many pieces as the machine has cores.
template <class Work>
void in_parallel(std::uint64_t count, const Work& work) {
  const std::uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> running;
  for (std::uint64_t t = 0; t < threads; ++t) {
    running.emplace_back([&work, begin = count * t / threads, end = count * (t + 1) / threads] { work(begin, end); });
  }
  for (std::thread& thread : running) thread.join();
}

}  // namespace deltaproof
