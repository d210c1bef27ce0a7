#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "tests/kernels/simt/executor_fixture.hpp"

namespace deltaproof {
namespace {

std::string at(const std::string& mark) { return place_of("executor_fault_kernels.cu", mark); }

const std::string name_start = "kernel (anonymous namespace)::";
const std::string first_block = ", block (0, 0, 0)";

/// Runs `launch_NAME` with the arguments, lowest thread first.
template <class... Arguments>
std::string fault(const std::string& name, Arguments... arguments) {
  const ScopedExecutor executor({.schedule = Schedule::forward});
  return fault_of([&] { call<void(Arguments...)>("launch_" + name)(arguments...); });
}

TEST(BarrierFaults, DifferentBarriersOfABlock) {
  EXPECT_EQ(fault("different_barriers"),
            name_start + "different_barriers" + first_block +
                ": threads of one block meet at different __syncthreads; threads 0-39: at __syncthreads, " +
                at("barrier of the lower") + "; threads 40-63: at __syncthreads, " + at("barrier of the upper"));
}

TEST(BarrierFaults, ABarrierAfterAnEarlyReturn) {
  EXPECT_EQ(fault("barrier_after_return"),
            name_start + "barrier_after_return" + first_block +
                ": __syncthreads after threads of the block have returned; threads 0-29, 32-61: at __syncthreads, " +
                at("barrier after return") + "; threads 30-31, 62-63: returned");
}

TEST(BarrierFaults, DeadlockSaysWhoWaitsWhere) {
  EXPECT_EQ(fault("barrier_and_shuffle"),
            name_start + "barrier_and_shuffle" + first_block + ": deadlock; threads 0-31: at __syncthreads, " +
                at("barrier that the others never reach") + "; thread 32: at __syncwarp with mask 0x00000003, " +
                at("lane that waits for another") + "; threads 33-63: at __syncthreads, " +
                at("barrier of the rest"));
}

TEST(CollectiveFaults, AMaskWithoutTheOwnLane) {
  EXPECT_EQ(fault("own_lane_missing"),
            name_start + "own_lane_missing" + first_block + ", thread (3, 0, 0), at " + at("mask without lane 3") +
                ": __syncwarp with mask 0xfffffff7, which lacks the thread's own lane 3");
}

TEST(CollectiveFaults, DifferentCollectivesInAWarp) {
  std::array<int, 32> out{};
  EXPECT_EQ(fault("different_collectives", out.data()),
            name_start + "different_collectives" + first_block + ", thread (1, 0, 0), at " + at("vote of the odd") +
                ": lanes of one warp meet in different collectives: lane 1 at __any_sync with mask 0xffffffff, "
                "lane 0 at __shfl_sync with mask 0xffffffff, " + at("shuffle of the even"));
}

TEST(CollectiveFaults, OneCollectiveAtDifferentPlaces) {
  std::array<int, 32> out{};
  EXPECT_EQ(fault("different_places", out.data()),
            name_start + "different_places" + first_block + ", thread (1, 0, 0), at " + at("vote of the others") +
                ": lanes of one warp meet in different collectives: lane 1 at __any_sync with mask 0xffffffff, "
                "lane 0 at __any_sync with mask 0xffffffff, " + at("vote of lane 0"));
  EXPECT_EQ(fault("syncwarp_at_different_places"), "");
}

TEST(CollectiveFaults, DifferentMasksInAWarp) {
  EXPECT_EQ(fault("different_masks"),
            name_start + "different_masks" + first_block + ", thread (1, 0, 0), at " + at("masks that differ") +
                ": lanes of one warp meet with different masks: lane 1 at __syncwarp with mask 0x00000007, lane 0 at "
                "__syncwarp with mask 0x00000003, " + at("masks that differ"));
}

TEST(CollectiveFaults, AShuffleFromOutsideTheMask) {
  std::array<int, 32> out{};
  EXPECT_EQ(fault("shuffle_outside_mask", out.data()),
            name_start + "shuffle_outside_mask" + first_block + ", thread (7, 0, 0), at " +
                at("shuffle outside mask") +
                ": __shfl_down_sync with mask 0x000000ff reads lane 8, which is outside the mask");
}

TEST(CollectiveFaults, AShuffleFromAThreadThatReturned) {
  std::array<int, 32> out{};
  EXPECT_EQ(fault("shuffle_from_returned", out.data()),
            name_start + "shuffle_from_returned" + first_block + ", thread (5, 0, 0), at " +
                at("shuffle from returned") +
                ": __shfl_xor_sync with mask 0xffffffff reads lane 4, which does not exist or has returned");
}

TEST(CollectiveFaults, AWidthThatIsNoPowerOfTwo) {
  std::array<int, 32> out{};
  EXPECT_EQ(fault("shuffle_width", out.data()),
            name_start + "shuffle_width" + first_block + ", thread (0, 0, 0), at " + at("shuffle width") +
                ": __shfl_sync with width 12; it must be 1, 2, 4, 8, 16 or 32");
}

TEST(CollectiveFaults, ATemplateIsNamedWithItsArguments) {
  int out = 0;
  EXPECT_EQ(fault("named_kernel", &out),
            "kernel deltaproof::named_kernel<int>" + first_block + ", thread (0, 0, 0), at " + at("named shuffle") +
                ": __shfl_sync with mask 0x00000001 reads lane 1, which is outside the mask");
}

TEST(TileFaults, AMisalignedRow) {
  std::array<std::uint32_t, 32> out{};
  EXPECT_EQ(fault("ldmatrix_misaligned", out.data()),
            name_start + "ldmatrix_misaligned" + first_block + ", thread (5, 0, 0), at " + at("misaligned row") +
                ": ldmatrix row not aligned to 16 bytes");
}

TEST(TileFaults, ARowOutsideSharedMemory) {
  alignas(16) std::array<std::uint32_t, 32> out{};
  EXPECT_EQ(fault("ldmatrix_global", out.data()),
            name_start + "ldmatrix_global" + first_block + ", thread (0, 0, 0), at " + at("row in global memory") +
                ": ldmatrix row outside shared memory");
}

TEST(TileFaults, AnMmaOfHalfAWarp) {
  std::array<float, 48> out{};
  EXPECT_EQ(fault("mma_partial", out.data()),
            name_start + "mma_partial" + first_block + ", thread (47, 0, 0), at " + at("partial mma") +
                ": mma needs all 32 lanes of the warp; lane 16 does not exist or has returned");
}

TEST(CopyFaults, Misaligned) {
  alignas(16) const std::array<unsigned char, 64> in{};
  const std::string start =
      name_start + "copy_misaligned" + first_block + ", thread (0, 0, 0), at " + at("misaligned copy");
  EXPECT_EQ(fault("copy_misaligned", in.data(), 8, 0), start + ": cp_async_16: destination not aligned to 16 bytes");
  EXPECT_EQ(fault("copy_misaligned", in.data(), 0, 4), start + ": cp_async_16: source not aligned to 16 bytes");
  EXPECT_EQ(fault("copy_misaligned", in.data(), 16, 16), "");
}

TEST(CopyFaults, ToGlobalMemory) {
  alignas(16) std::array<unsigned char, 64> memory{};
  EXPECT_EQ(fault("copy_to_global", static_cast<const unsigned char*>(memory.data()), memory.data() + 16),
            name_start + "copy_to_global" + first_block + ", thread (0, 0, 0), at " + at("copy to global memory") +
                ": cp_async_16: destination outside shared memory");
}

TEST(CopyFaults, FromSharedMemory) {
  EXPECT_EQ(fault("copy_from_shared"), name_start + "copy_from_shared" + first_block + ", thread (0, 0, 0), at " +
                                           at("copy from shared memory") + ": cp_async_16: source in shared memory");
}

TEST(CopyFaults, TheSourceChangesBeforeTheWait) {
  alignas(16) std::array<unsigned, 4> in{1, 2, 3, 4};
  EXPECT_EQ(fault("copy_source_changes", in.data(), 16u),
            name_start + "copy_source_changes" + first_block + ", thread (0, 0, 0), at " +
                at("copy whose source changes") +
                ": race: the source of this cp.async was written to before its cp_async_wait");
  in[0] = 1;
  EXPECT_EQ(fault("copy_source_changes", in.data(), 0u), "");
}

TEST(CopyFaults, InFlightWhenTheThreadReturns) {
  alignas(16) const std::array<unsigned char, 64> in{};
  EXPECT_EQ(fault("copy_in_flight", in.data()),
            name_start + "copy_in_flight" + first_block + ", thread (0, 0, 0), at " + at("copy in flight") +
                ": returns while this cp.async is in flight: cp_async_wait is missing");
}

TEST(OtherFaults, TheStepBudgetEndsAnEndlessLoop) {
  const ScopedExecutor executor({.schedule = Schedule::forward, .step_budget = 1000});
  const std::string text = fault_of([] { call<void(unsigned)>("launch_spin_on_barriers")(1); });
  const std::string start = ": step budget: more than 1000 switches between threads in one block; threads 0-";
  EXPECT_TRUE(text.starts_with(name_start + "spin_on_barriers" + first_block + start)) << text;
  EXPECT_NE(text.find("at __syncthreads, " + at("endless barriers")), std::string::npos) << text;
}

TEST(OtherFaults, AFaultStopsTheBlocksOfOtherThreads) {
  // Two blocks at a time spin; a launch that went on after the first fault would take days.
  const ScopedExecutor executor({.schedule = Schedule::forward, .threads = 2, .step_budget = 100'000});
  const std::string text = fault_of([] { call<void(unsigned)>("launch_spin_on_barriers")(1'000'000'000); });
  EXPECT_NE(text.find("step budget"), std::string::npos) << text;
}

TEST(OtherFaults, ALaunchInsideAKernel) {
  EXPECT_EQ(fault("launch_inside"),
            name_start + "launch_inside" + first_block + ", thread (0, 0, 0), at " + at("launch inside") +
                ": launch inside a kernel");
}

TEST(OtherFaults, TheNextLaunchWorks) {
  const std::array<float, 64> in{1, 2, 3};
  std::array<float, 2> out{};
  for (int round = 0; round < 50; ++round) {
    EXPECT_NE(fault("barrier_after_return"), "");
    EXPECT_NE(fault("different_masks"), "");
    call<void(unsigned, unsigned, const float*, float*, int)>("launch_block_sum")(2, 64, in.data(), out.data(), 32);
    EXPECT_EQ(out[0], 6.0f);
  }
}

}  // namespace
}  // namespace deltaproof
