#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "kernels/simt/checker_hooks.hpp"
#include "kernels/simt/launch_pool.hpp"
#include "tests/kernels/simt/executor_fixture.hpp"

namespace deltaproof {
namespace {

using SumOfBlocks = void(unsigned blocks, unsigned threads, const float* in, float* out, int n);

TEST(Pool, EveryCallReturnsBeforeTheJobDoes) {
  for (int helpers = 0; helpers < 4; ++helpers) {
    std::atomic<int> begun = 0, ended = 0;
    std::atomic<bool> first = false;
    run_on_pool(helpers, [&](int number) {
      ++begun;
      if (number == 0) first = true;
      ++ended;
    });
    EXPECT_TRUE(first);
    EXPECT_EQ(begun, ended);
    EXPECT_LE(begun, helpers + 1);
  }
}

TEST(Pool, HelpersRunBesideTheCaller) {
  std::atomic<int> here = 0;
  // Each waits for the other: with one thread this would not end.
  run_on_pool(1, [&](int) {
    ++here;
    while (here < 2) std::this_thread::yield();
  });
  EXPECT_EQ(here, 2);
}

TEST(Launches, OfTwoOsThreadsAtOnceDoNotDisturbEachOther) {
  const auto many = [](float factor, int& wrong) {
    std::vector<float> in(4 * 100, factor), out(4);
    for (int round = 0; round < 200; ++round) {
      const ScopedExecutor executor({.seed = static_cast<std::uint64_t>(round), .threads = 1 + round % 3});
      out.assign(4, 0.0f);
      call<SumOfBlocks>("launch_block_sum")(4, 96, in.data(), out.data(), 100);
      for (const float sum : out) wrong += sum != 100 * factor;
      if (round % 10 == 0) wrong += fault_of(call<void()>("launch_different_masks")).empty();
    }
  };
  std::array<int, 2> wrong{};
  std::thread other(many, 2.0f, std::ref(wrong[0]));
  many(3.0f, wrong[1]);
  other.join();
  EXPECT_EQ(wrong, (std::array<int, 2>{0, 0}));
}

TEST(Options, NestAndEndWithTheirScope) {
  EXPECT_EQ(executor_options().seed, 0u);
  {
    const ScopedExecutor outer({.seed = 1});
    {
      const ScopedExecutor inner({.seed = 2});
      EXPECT_EQ(executor_options().seed, 2u);
      std::uint64_t elsewhere = 9;
      std::thread([&] { elsewhere = executor_options().seed; }).join();
      EXPECT_EQ(elsewhere, 0u);
    }
    EXPECT_EQ(executor_options().seed, 1u);
  }
  EXPECT_EQ(executor_options().seed, 0u);
}

/// Keeps what it is told.
class Recorder final : public CheckerHooks {
 public:
  void launch_begin(const LaunchMemory& memory) override { blocks = memory.blocks; }
  void launch_end(const LaunchMemory&) override {
    ++launches_ended;
    if (throws) throw std::runtime_error("found by the checker");
  }
  void block_begin(const BlockMemory& memory) override { begun.push_back(memory); }
  void block_end(const BlockMemory&) override { ++ended; }
  void block_barrier(const BlockMemory&) override { ++block_barriers; }
  void warp_barrier(const BlockMemory&, std::uint32_t warp, std::uint32_t mask) override {
    warp_barriers.insert({warp, mask});
  }
  void switched_in(const RunningThread& thread) override {
    wrong += current_thread() != &thread;
    const auto* here = reinterpret_cast<const std::byte*>(__builtin_frame_address(0));
    threads.insert(thread.index);
    // Called on the stack of the thread before, or of the OS thread.
    wrong += here >= thread.stack_begin && here < thread.stack_end && threads.size() == 1;
  }
  void access(const RunningThread& thread, const void* address, std::size_t bytes, Access access, const char*,
              int) override {
    wrong += current_thread() != &thread;
    accesses.push_back({address, bytes, access});
    if (access == fails_at) fail_running_thread("found by the checker", "somewhere.cu", 7);
  }

  struct Seen {
    const void* address;
    std::size_t bytes;
    Access access;
  };
  std::uint64_t blocks = 0;
  std::vector<BlockMemory> begun;
  int ended = 0, launches_ended = 0, block_barriers = 0, wrong = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> warp_barriers;
  std::set<std::uint32_t> threads;
  std::vector<Seen> accesses;
  std::optional<Access> fails_at;
  bool throws = false;
};

TEST(Checker, HearsOfBlocksBarriersAndThreads) {
  Recorder recorder;
  const ScopedExecutor executor({.checker = &recorder});
  const std::vector<float> in(3 * 10, 1.0f);
  std::vector<float> out(3);
  call<SumOfBlocks>("launch_block_sum")(3, 96, in.data(), out.data(), 10);
  EXPECT_EQ(recorder.blocks, 3u);
  EXPECT_EQ(recorder.begun.size(), 3u);
  EXPECT_EQ(recorder.ended, 3);
  EXPECT_EQ(recorder.launches_ended, 1);
  EXPECT_EQ(recorder.block_barriers, 6);
  EXPECT_EQ(recorder.threads.size(), 96u);
  EXPECT_EQ(recorder.wrong, 0);
  EXPECT_EQ(recorder.begun[0].threads, 96u);
  EXPECT_NE(recorder.begun[0].static_shared.begin, nullptr);
  EXPECT_EQ(recorder.begun[0].dynamic_shared.size, 0u);
  EXPECT_EQ(recorder.begun[0].dynamic_shared.capacity, 232448u);

  const std::array<int, 64> numbers{};
  std::array<int, 64> sums{};
  call<void(const int*, int*)>("launch_two_groups")(numbers.data(), sums.data());
  const std::set<std::pair<std::uint32_t, std::uint32_t>> expected{{0, 0xffff0000u}, {1, 0xffff0000u}};
  EXPECT_EQ(recorder.warp_barriers, expected);
}

TEST(Checker, HearsOfAsynchronousCopies) {
  Recorder recorder;
  const ScopedExecutor executor({.checker = &recorder});
  alignas(16) const std::array<unsigned, 8> in{};
  std::array<unsigned, 36> seen{};
  call<void(const unsigned*, unsigned*)>("launch_copies")(in.data(), seen.data());
  // Reads of 16, 8 and 0 bytes; the last needs none. They last, and the writes are announced, until the copies land.
  const std::vector<Access> expected{Access::open_source,  Access::issue, Access::open_source,
                                     Access::issue,        Access::issue, Access::close_source,
                                     Access::write,        Access::close_source, Access::write,
                                     Access::write};
  std::vector<Access> kinds;
  for (const auto& access : recorder.accesses) kinds.push_back(access.access);
  EXPECT_EQ(kinds, expected);
  EXPECT_EQ(recorder.accesses[2].address, &in[4]);
  EXPECT_EQ(recorder.accesses[2].bytes, 8u);
  EXPECT_EQ(recorder.accesses[7].address, &in[4]);
  EXPECT_EQ(recorder.accesses[7].bytes, 8u);
}

TEST(Checker, EndsALaunchFromWithinAndAfterwards) {
  Recorder recorder;
  recorder.fails_at = Access::issue;
  const ScopedExecutor executor({.checker = &recorder});
  alignas(16) const std::array<unsigned, 8> in{};
  std::array<unsigned, 36> seen{};
  const auto launch = [&] {
    return fault_of([&] { call<void(const unsigned*, unsigned*)>("launch_copies")(in.data(), seen.data()); });
  };
  EXPECT_EQ(launch(), "kernel (anonymous namespace)::copies, block (0, 0, 0), thread (0, 0, 0), at somewhere.cu:7: "
                      "found by the checker");
  EXPECT_EQ(recorder.ended, 1);
  EXPECT_EQ(recorder.launches_ended, 1);
  recorder.fails_at.reset();
  recorder.throws = true;
  EXPECT_EQ(launch(), "kernel (anonymous namespace)::copies: found by the checker");
}

TEST(Module, SaysWhatIsMissing) {
  const std::string nowhere = "/nowhere/libnothing.so";
  EXPECT_EQ(fault_of([&] { KernelModule{nowhere}; }), nowhere + ": no such kernel library");
  const std::string text = fault_of([] { KernelModule(DELTAPROOF_SOURCE_DIR "/CMakeLists.txt"); });
  EXPECT_TRUE(text.starts_with("kernel library does not load: " DELTAPROOF_SOURCE_DIR "/CMakeLists.txt: ")) << text;
  EXPECT_EQ(fault_of([] { executor_kernels().symbol("launch_nothing"); }),
            executor_kernels().path().string() + " has no symbol 'launch_nothing'");
}

}  // namespace
}  // namespace deltaproof
