// Counts the allocations of the whole test program, in place of the library's operators.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "tests/kernels/simt/executor_fixture.hpp"

namespace {

std::atomic<long> allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size != 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace deltaproof {
namespace {

TEST(Launch, TakesNoMemoryPerBlock) {
  const std::vector<float> in(20'000 * 3, 1.0f);
  std::vector<float> out(20'000);
  auto* const launch = call<void(unsigned, unsigned, const float*, float*, int)>("launch_block_sum");
  const auto allocations_of = [&](unsigned blocks) {
    const long before = allocations;
    launch(blocks, 32, in.data(), out.data(), 3);
    return allocations - before;
  };
  allocations_of(1);  // makes the fibers
  const long few = allocations_of(10), many = allocations_of(20'000);
  EXPECT_GT(few, 0);  // they are counted
  EXPECT_EQ(many, few);
}

}  // namespace
}  // namespace deltaproof
