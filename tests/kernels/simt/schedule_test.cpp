#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <vector>

#include "tests/kernels/simt/executor_fixture.hpp"

namespace deltaproof {
namespace {

TEST(ScheduleTable, NamesAreFoundAndUnknownOnesAreNot) {
  for (const ScheduleInfo& info : schedule_table()) {
    EXPECT_EQ(find_schedule(info.name), &info);
    EXPECT_EQ(schedule_name(info.schedule), info.name);
  }
  EXPECT_EQ(find_schedule("alphabetical"), nullptr);
}

TEST(BlockOrder, IsAPermutation) {
  for (const ScheduleInfo& info : schedule_table()) {
    for (const std::uint64_t blocks : {1, 2, 3, 64, 1000, 30030}) {
      const BlockOrder order(info.schedule, 5, blocks);
      std::vector<bool> seen(blocks);
      for (std::uint64_t turn = 0; turn < blocks; ++turn) seen.at(order(turn)) = true;
      EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(blocks)) << info.name;
    }
  }
}

TEST(BlockOrder, CountsBeyond32Bits) {
  const std::uint64_t blocks = std::uint64_t{0x7fffffff} * 65535;
  EXPECT_EQ(BlockOrder(Schedule::forward, 0, blocks)(blocks - 1), blocks - 1);
  EXPECT_EQ(BlockOrder(Schedule::reverse, 0, blocks)(0), blocks - 1);
  EXPECT_EQ(BlockOrder(Schedule::reverse, 0, blocks)(blocks - 1), 0u);
  const BlockOrder order(Schedule::random, 7, blocks);
  std::set<std::uint64_t> some;
  for (std::uint64_t turn = 0; turn < 1000; ++turn) some.insert(order(turn));
  EXPECT_EQ(some.size(), 1000u);
  EXPECT_LT(*some.rbegin(), blocks);
}

std::vector<unsigned> order_of_blocks(const ExecutorOptions& options, unsigned blocks) {
  const ScopedExecutor executor(options);
  unsigned next = 0;
  std::vector<unsigned> order(blocks);
  call<void(unsigned, unsigned*, unsigned*)>("launch_mark_order")(blocks, &next, order.data());
  return order;
}

TEST(Blocks, StartInTheOrderOfTheSchedule) {
  std::vector<unsigned> upwards(50);
  std::iota(upwards.begin(), upwards.end(), 0u);
  const std::vector<unsigned> downwards(upwards.rbegin(), upwards.rend());
  EXPECT_EQ(order_of_blocks({.schedule = Schedule::forward}, 50), upwards);
  EXPECT_EQ(order_of_blocks({.schedule = Schedule::reverse}, 50), downwards);
  const auto one = order_of_blocks({.schedule = Schedule::random, .seed = 1}, 50);
  EXPECT_EQ(one, order_of_blocks({.schedule = Schedule::random, .seed = 1}, 50));
  EXPECT_NE(one, order_of_blocks({.schedule = Schedule::random, .seed = 2}, 50));
  EXPECT_NE(one, upwards);
}

/// Turn in which each of 96 threads (three warps) came to each of four steps.
std::array<unsigned, 384> turns(const ExecutorOptions& options) {
  const ScopedExecutor executor(options);
  unsigned clock = 0;
  std::array<unsigned, 384> at{};
  call<void(unsigned, unsigned*, unsigned*)>("launch_turns")(96, &clock, at.data());
  return at;
}

/// First and last turn of a warp.
std::pair<unsigned, unsigned> span_of_warp(const std::array<unsigned, 384>& at, int warp) {
  const auto [first, last] = std::minmax_element(&at[128 * warp], &at[128 * warp] + 128);
  return {*first, *last};
}

TEST(Threads, RunInTheOrderOfTheSchedule) {
  const auto forward = turns({.schedule = Schedule::forward});
  const auto reverse = turns({.schedule = Schedule::reverse});
  for (int t = 0; t < 96; ++t) {
    EXPECT_EQ(forward[4 * t], t / 32 * 128 + t % 32);
    EXPECT_EQ(reverse[4 * t], (95 - t) / 32 * 128 + (95 - t) % 32);
  }
  EXPECT_EQ(turns({.schedule = Schedule::random, .seed = 4}), turns({.schedule = Schedule::random, .seed = 4}));
  EXPECT_NE(turns({.schedule = Schedule::random, .seed = 4}), turns({.schedule = Schedule::random, .seed = 5}));
}

TEST(Threads, OneWarpIsAheadOrLast) {
  std::set<int> favourites;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto ahead = turns({.schedule = Schedule::warp_ahead, .seed = seed});
    const auto last = turns({.schedule = Schedule::warp_last, .seed = seed});
    int first_warps = 0, last_warps = 0;
    for (int warp = 0; warp < 3; ++warp) {
      if (span_of_warp(ahead, warp).second == 127) {
        ++first_warps;
        favourites.insert(warp);
      }
      last_warps += span_of_warp(last, warp).first == 256;
    }
    EXPECT_EQ(first_warps, 1);
    EXPECT_EQ(last_warps, 1);
  }
  EXPECT_EQ(favourites.size(), 3u);
}

TEST(Results, OfARightKernelDoNotDependOnScheduleSeedOrThreads) {
  std::vector<float> in(7 * 500);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 1.0f / static_cast<float>(i + 1);
  std::vector<float> reference;
  for (const ScheduleInfo& info : schedule_table()) {
    for (const int threads : {1, 2, 3}) {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const ScopedExecutor executor({.schedule = info.schedule, .seed = seed, .threads = threads});
        std::vector<float> out(7);
        call<void(unsigned, unsigned, const float*, float*, int)>("launch_block_sum")(7, 224, in.data(), out.data(),
                                                                                      500);
        if (reference.empty()) reference = out;
        ASSERT_EQ(out, reference) << info.name << " seed " << seed << " threads " << threads;
      }
    }
  }
  // Not empty sums.
  EXPECT_GT(reference[0], 6.0f);
}

/// Elements of `reverse` that come out wrong.
int wrong(const ExecutorOptions& options, bool with_barrier) {
  const ScopedExecutor executor(options);
  std::array<float, 64> in, out{};
  std::iota(in.begin(), in.end(), 1.0f);
  call<void(unsigned, const float*, float*, bool)>("launch_reverse")(64, in.data(), out.data(), with_barrier);
  int count = 0;
  for (int t = 0; t < 64; ++t) count += out[t] != in[63 - t];
  return count;
}

TEST(Results, OfAKernelWithoutItsBarrierAreWrongUnderEverySchedule) {
  for (const ScheduleInfo& info : schedule_table()) {
    EXPECT_EQ(wrong({.schedule = info.schedule}, true), 0) << info.name;
    EXPECT_GT(wrong({.schedule = info.schedule}, false), 0) << info.name;
  }
}

}  // namespace
}  // namespace deltaproof
