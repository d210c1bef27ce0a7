#include "kernels/simt/schedule.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace deltaproof {

namespace {

constexpr std::array<ScheduleInfo, 5> schedules{{
    {Schedule::random, "random", "any thread that can run, any block"},
    {Schedule::forward, "forward", "the lowest thread that can run, the lowest block"},
    {Schedule::reverse, "reverse", "the highest thread that can run, the highest block"},
    {Schedule::warp_ahead, "warp_ahead", "one warp of each block runs whenever it can; else random"},
    {Schedule::warp_last, "warp_last", "one warp of each block runs only when no other can; else random"},
}};

/// SplitMix64.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::span<const ScheduleInfo> schedule_table() { return schedules; }

const ScheduleInfo* find_schedule(std::string_view name) {
  const auto found = std::find_if(schedules.begin(), schedules.end(),
                                  [&](const ScheduleInfo& schedule) { return schedule.name == name; });
  return found == schedules.end() ? nullptr : &*found;
}

std::string_view schedule_name(Schedule schedule) {
  return std::find_if(schedules.begin(), schedules.end(),
                      [&](const ScheduleInfo& info) { return info.schedule == schedule; })
      ->name;
}

ThreadChooser::ThreadChooser(Schedule schedule, std::uint64_t seed, std::uint64_t block, std::uint32_t warps)
    : schedule_(schedule), state_(mixed(seed ^ mixed(block))) {
  favourite_ = 1u << (mixed(state_) % warps);
}

BlockOrder::BlockOrder(Schedule schedule, std::uint64_t seed, std::uint64_t blocks)
    : blocks_(blocks), stride_(1), offset_(0) {
  if (schedule == Schedule::reverse) {
    stride_ = blocks - 1;
    offset_ = blocks - 1;
  } else if (schedule != Schedule::forward) {
    stride_ = mixed(seed) % blocks;
    while (std::gcd(stride_, blocks) != 1) stride_ = (stride_ + 1) % blocks;
    offset_ = mixed(seed + 1) % blocks;
  }
}

std::uint64_t BlockOrder::operator()(std::uint64_t turn) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{stride_} * turn + offset_) % blocks_);
}

}  // namespace deltaproof
