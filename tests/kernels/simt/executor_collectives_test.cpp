#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "tests/kernels/simt/executor_fixture.hpp"

namespace deltaproof {
namespace {

using Lanes = std::array<int, 32>;

Lanes numbered(int first) {
  Lanes values;
  std::iota(values.begin(), values.end(), first);
  return values;
}

constexpr int untouched = -7;

Lanes shuffled(int kind, unsigned mask, int operand, int width, const Lanes& in) {
  Lanes out;
  out.fill(untouched);
  call<void(int, unsigned, int, int, const int*, int*)>("launch_shuffle")(kind, mask, operand, width, in.data(),
                                                                          out.data());
  return out;
}

/// PTX ISA, shfl.sync: the pseudocode, with c as CUDA passes it.
int ptx_source(int kind, int lane, int b, int width) {
  const int segment_mask = 32 - width, clamp = kind == 1 ? 0 : 31;
  const int bval = b & 31;
  const int max_lane = (lane & segment_mask) | (clamp & ~segment_mask & 31);
  const int min_lane = lane & segment_mask;
  int j = 0;
  bool in_range = false;
  switch (kind) {
    case 0: j = min_lane | (bval & ~segment_mask & 31); in_range = j <= max_lane; break;
    case 1: j = lane - bval; in_range = j >= max_lane; break;
    case 2: j = lane + bval; in_range = j <= max_lane; break;
    default: j = lane ^ bval; in_range = j <= max_lane; break;
  }
  return in_range ? j : lane;
}

TEST(Shuffle, GivesWhatPtxSaysForEveryOperandAndWidth) {
  const Lanes in = numbered(100);
  for (int kind = 0; kind < 4; ++kind) {
    for (int width = 1; width <= 32; width *= 2) {
      for (int operand = 0; operand < 34; ++operand) {
        const Lanes out = shuffled(kind, 0xffffffffu, operand, width, in);
        for (int lane = 0; lane < 32; ++lane) {
          ASSERT_EQ(out[lane], 100 + ptx_source(kind, lane, operand, width))
              << "kind " << kind << " width " << width << " operand " << operand << " lane " << lane;
        }
      }
    }
  }
}

TEST(Shuffle, LanesOutsideTheMaskTakeNoPart) {
  const Lanes in = numbered(0);
  const Lanes out = shuffled(3, 0x00ff00ffu, 1, 32, in);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], (0x00ff00ffu >> lane & 1) != 0 ? lane ^ 1 : untouched);
  }
}

TEST(Shuffle, EachLaneMayNameItsOwnSource) {
  const Lanes in = numbered(0);
  Lanes source;
  for (int lane = 0; lane < 32; ++lane) source[lane] = 7 * lane % 32;
  std::array<float, 32> out{};
  call<void(const int*, const int*, float*)>("launch_shuffle_by_lane")(in.data(), source.data(), out.data());
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], static_cast<float>(source[lane]) + 0.5f);
}

TEST(Shuffle, TwoGroupsOfAWarpMeetIndependently) {
  std::array<int, 64> in, out{};
  std::iota(in.begin(), in.end(), 1);
  for (const ScheduleInfo& info : schedule_table()) {
    const ScopedExecutor executor({.schedule = info.schedule, .seed = 3});
    call<void(const int*, int*)>("launch_two_groups")(in.data(), out.data());
    for (int t = 0; t < 64; ++t) {
      // Lanes 0-15 sum 16 elements, the others aligned groups of 8.
      const int size = t % 32 < 16 ? 16 : 8, first = t / size * size;
      EXPECT_EQ(out[t], std::accumulate(&in[first], &in[first] + size, 0)) << info.name << " thread " << t;
    }
  }
}

TEST(Vote, CountsTheLanesOfTheMaskThatExist) {
  std::array<int, 40> predicate;
  for (int t = 0; t < 40; ++t) predicate[t] = t % 3 == 0 ? 5 : 0;
  std::array<unsigned, 40> ballot{};
  std::array<int, 40> any{}, all{};
  const unsigned mask = 0xfffffff6u;
  // 40 threads: the second warp has 8 lanes.
  call<void(unsigned, unsigned, const int*, unsigned*, int*, int*)>("launch_votes")(
      40, mask, predicate.data(), ballot.data(), any.data(), all.data());
  for (int warp = 0; warp < 2; ++warp) {
    unsigned expected = 0;
    for (int lane = 0; lane < (warp == 0 ? 32 : 8); ++lane) {
      if ((mask >> lane & 1) != 0 && predicate[32 * warp + lane] != 0) expected |= 1u << lane;
    }
    for (int lane = 0; lane < (warp == 0 ? 32 : 8); ++lane) {
      const int t = 32 * warp + lane;
      const bool takes_part = (mask >> lane & 1) != 0;
      EXPECT_EQ(ballot[t], takes_part ? expected : 0u) << t;
      EXPECT_EQ(any[t], takes_part ? 1 : 0) << t;
      EXPECT_EQ(all[t], 0) << t;
    }
  }
}

TEST(Vote, AllIsTrueOnlyIfEveryLaneAgrees) {
  std::array<int, 32> predicate;
  predicate.fill(2);
  std::array<unsigned, 32> ballot{};
  std::array<int, 32> any{}, all{};
  const auto vote = [&] {
    call<void(unsigned, unsigned, const int*, unsigned*, int*, int*)>("launch_votes")(
        32, 0xffffffffu, predicate.data(), ballot.data(), any.data(), all.data());
  };
  vote();
  EXPECT_EQ(all[17], 1);
  predicate.fill(0);
  vote();
  EXPECT_EQ(any[17], 0);
  EXPECT_EQ(ballot[17], 0u);
}

TEST(Lanes, ThatHaveReturnedAreNotWaitedFor) {
  std::array<int, 40> rounds{};
  call<void(unsigned, int*)>("launch_leave_early")(40, rounds.data());
  for (int t = 0; t < 40; ++t) EXPECT_EQ(rounds[t], t % 32) << t;
}

}  // namespace
}  // namespace deltaproof
