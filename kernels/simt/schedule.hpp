#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace deltaproof {

/// Which of the threads that can run runs next, and in which order blocks run.
enum class Schedule { random, forward, reverse, warp_ahead, warp_last };

struct ScheduleInfo {
  Schedule schedule;
  std::string_view name;
  std::string_view summary;
};

std::span<const ScheduleInfo> schedule_table();
/// nullptr if the name is unknown.
const ScheduleInfo* find_schedule(std::string_view name);
std::string_view schedule_name(Schedule schedule);

/// Threads of a block that can run: a mask of warps, and for each a mask of lanes.
struct ReadyThreads {
  std::uint32_t warps = 0;
  std::uint32_t lanes[32] = {};
};

/// Chooses threads of one block. The choices depend on schedule, seed and block alone.
class ThreadChooser {
 public:
  ThreadChooser() = default;
  ThreadChooser(Schedule schedule, std::uint64_t seed, std::uint64_t block, std::uint32_t warps);

  /// 32 warp + lane. `ready.warps` is not 0.
  [[gnu::always_inline]] std::uint32_t next(const ReadyThreads& ready) {
    switch (schedule_) {
      case Schedule::forward: {
        const auto warp = static_cast<std::uint32_t>(std::countr_zero(ready.warps));
        return 32 * warp + static_cast<std::uint32_t>(std::countr_zero(ready.lanes[warp]));
      }
      case Schedule::reverse: {
        const auto warp = static_cast<std::uint32_t>(31 - std::countl_zero(ready.warps));
        return 32 * warp + static_cast<std::uint32_t>(31 - std::countl_zero(ready.lanes[warp]));
      }
      case Schedule::warp_ahead:
        return random_thread(ready, (ready.warps & favourite_) != 0 ? favourite_ : ready.warps);
      case Schedule::warp_last:
        return random_thread(ready, (ready.warps & ~favourite_) != 0 ? ready.warps & ~favourite_ : ready.warps);
      case Schedule::random:
        break;
    }
    return random_thread(ready, ready.warps);
  }

 private:
  std::uint32_t random_thread(const ReadyThreads& ready, std::uint32_t warps) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const auto random = static_cast<std::uint32_t>(state_ >> 54);
    const std::uint32_t warp = first_from(warps, random & 31);
    return 32 * warp + first_from(ready.lanes[warp], random >> 5);
  }
  /// The first bit of `mask` from `start` on, round the end.
  static std::uint32_t first_from(std::uint32_t mask, std::uint32_t start) {
    const int turned = std::countr_zero(std::rotr(mask, static_cast<int>(start)));
    return (start + static_cast<std::uint32_t>(turned)) & 31;
  }

  Schedule schedule_ = Schedule::random;
  std::uint32_t favourite_ = 1;  ///< the bit of the warp that is ahead or last
  std::uint64_t state_ = 0;
};

/// Order in which a grid's blocks start: a permutation of 0 to blocks - 1. `random` and the warp schedules shuffle.
class BlockOrder {
 public:
  BlockOrder(Schedule schedule, std::uint64_t seed, std::uint64_t blocks);
  std::uint64_t operator()(std::uint64_t turn) const;

 private:
  std::uint64_t blocks_, stride_, offset_;  ///< block = stride turn + offset (mod blocks)
};

}  // namespace deltaproof
