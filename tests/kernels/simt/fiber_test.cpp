#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/simt/fiber_context.hpp"
#include "kernels/simt/fiber_stack.hpp"

namespace deltaproof {
namespace {

FiberContext outside;
std::array<FiberContext, 2> inside;
std::vector<int> trace;
bool leaves = false;

template <int self>
void entry() {
  inside[self].entered(&outside);
  // On the stack across switches. The alignment is the ABI's: compilers rely on it and do not align anew.
  alignas(16) std::array<double, 4> kept{self + 0.5, 1, 2, 3};
  if (reinterpret_cast<std::uintptr_t>(kept.data()) % 16 != 0) trace.push_back(-1);
  for (int round = 0;; ++round) {
    trace.push_back(10 * self + round);
    if (leaves) inside[self].leave_for(outside);
    inside[self].switch_to(round % 2 == 0 ? inside[1 - self] : outside);
    if (kept[0] != self + 0.5) trace.push_back(-2);
  }
}

TEST(Fibers, GoOnWhereTheyWere) {
  const FiberStack first(0), second(1);
  inside[0].prepare(first.low(), first.high(), entry<0>);
  inside[1].prepare(second.low(), second.high(), entry<1>);
  trace.clear();
  leaves = false;
  outside.switch_to(inside[0]);
  outside.switch_to(inside[1]);
  EXPECT_EQ(trace, (std::vector<int>{0, 10, 1, 11}));
}

TEST(Fibers, StartAnewAfterTheyWereLeft) {
  const FiberStack stack(0);
  trace.clear();
  leaves = true;
  for (int i = 0; i < 3; ++i) {
    inside[0].prepare(stack.low(), stack.high(), entry<0>);
    outside.switch_to(inside[0]);
  }
  EXPECT_EQ(trace, (std::vector<int>{0, 0, 0}));
}

TEST(FiberStack, HasTheSizeAndIsWritableToItsEnds) {
  for (std::size_t colour = 0; colour < 64; ++colour) {
    const FiberStack stack(colour, 65536);
    EXPECT_GE(stack.high() - stack.low(), 65536 - 4096);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(stack.high()) % 64, 0u);
    *stack.low() = std::byte{1};
    *(stack.high() - 1) = std::byte{1};
  }
}

TEST(FiberStackDeathTest, EndsInAGuardPage) {
  const FiberStack stack(0);
  volatile std::byte* const below = stack.low() - 1;
  EXPECT_DEATH(*below = std::byte{1}, "");
}

}  // namespace
}  // namespace deltaproof
