#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/simt/host_builtins.cuh"
#include "tests/kernels/simt/executor_fixture.hpp"

namespace deltaproof {
namespace {

struct Shape {
  dim3 grid, block;
};

class Grid : public testing::TestWithParam<Shape> {};

TEST_P(Grid, EveryThreadRunsOnceAndKnowsItsPlace) {
  const auto [grid, block] = GetParam();
  const std::size_t threads = std::size_t{block.x} * block.y * block.z;
  const std::size_t all = threads * grid.x * grid.y * grid.z;
  std::vector<unsigned> thread(3 * all), block_of(3 * all), lanes(all);
  const ScopedExecutor executor({.schedule = Schedule::random, .seed = 11, .threads = 2});
  call<void(dim3, dim3, unsigned*, unsigned*, unsigned*)>("launch_places")(grid, block, thread.data(),
                                                                           block_of.data(), lanes.data());
  for (std::size_t i = 0; i < all; ++i) {
    const std::size_t t = i % threads, b = i / threads;
    EXPECT_EQ(thread[3 * i], t % block.x);
    EXPECT_EQ(thread[3 * i + 1], t / block.x % block.y);
    EXPECT_EQ(thread[3 * i + 2], t / block.x / block.y);
    EXPECT_EQ(block_of[3 * i], b % grid.x);
    EXPECT_EQ(block_of[3 * i + 1], b / grid.x % grid.y);
    EXPECT_EQ(block_of[3 * i + 2], b / grid.x / grid.y);
    EXPECT_EQ(lanes[i], std::min<std::size_t>(32, threads - t / 32 * 32));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Grid,
                         testing::Values(Shape{1, 1}, Shape{3, 40}, Shape{dim3(2, 3, 4), dim3(5, 3, 7)},
                                         Shape{2, 1024}, Shape{2, dim3(16, 1, 64)}, Shape{1000, 33}));

std::string refused(unsigned grid_y, unsigned block_x, unsigned block_z, std::size_t shared) {
  auto* const launch = call<void(unsigned, unsigned, unsigned, std::size_t, int*)>("launch_with_shared");
  const std::string fault = fault_of([&] { launch(grid_y, block_x, block_z, shared, nullptr); });
  const std::size_t colon = fault.find(": ");
  return colon == std::string::npos ? fault : fault.substr(colon + 2);
}

TEST(Launch, WhatCudaRefusesIsRefusedByName) {
  EXPECT_EQ(refused(65536, 1, 1, 0), "grid dimension y is 65536; allowed are 1 to 65535");
  EXPECT_EQ(refused(0, 1, 1, 0), "grid dimension y is 0; allowed are 1 to 65535");
  EXPECT_EQ(refused(1, 1025, 1, 0), "block dimension x is 1025; allowed are 1 to 1024");
  EXPECT_EQ(refused(1, 1, 65, 0), "block dimension z is 65; allowed are 1 to 64");
  EXPECT_EQ(refused(1, 512, 3, 0), "block of 512 x 1 x 3 = 1536 threads; allowed are 1024");
  EXPECT_EQ(refused(1, 1, 1, 232449), "232449 bytes of dynamic shared memory; allowed are 232448");
  EXPECT_EQ(refused(1, 1, 1, 232448), "");
  EXPECT_EQ(refused(65535, 1, 1, 0), "");
}

std::string refused_static(unsigned kib, std::size_t dynamic) {
  unsigned out = 0;
  auto* const launch = call<void(unsigned, std::size_t, unsigned*)>("launch_static_words");
  const std::string fault = fault_of([&] { launch(kib, dynamic, &out); });
  EXPECT_EQ(out, fault.empty() ? 5u : 0u);
  const std::size_t colon = fault.find(": ");
  return colon == std::string::npos ? fault : fault.substr(colon + 2);
}

TEST(Launch, StaticAndDynamicSharedMemoryShareOneLimit) {
  EXPECT_EQ(refused_static(1, 231424), "");
  EXPECT_EQ(refused_static(1, 231425),
            "1024 bytes of static and 231425 of dynamic shared memory are 232449; allowed are 232448");
  EXPECT_EQ(refused_static(48, 183296), "");
  EXPECT_EQ(refused_static(48, 183297),
            "49152 bytes of static and 183297 of dynamic shared memory are 232449; allowed are 232448");
  EXPECT_EQ(refused_static(49, 0), "50176 bytes of static shared memory; allowed are 49152");
}

TEST(Launch, TheRefusalNamesKernelAndPlace) {
  const std::string fault = fault_of([] {
    call<void(unsigned, unsigned, unsigned, std::size_t, int*)>("launch_with_shared")(1, 1025, 1, 0, nullptr);
  });
  EXPECT_EQ(fault, "kernel (anonymous namespace)::leave_early, launched at " +
                       place_of("executor_kernels.cu", "with shared") +
                       ": block dimension x is 1025; allowed are 1 to 1024");
}

}  // namespace
}  // namespace deltaproof
