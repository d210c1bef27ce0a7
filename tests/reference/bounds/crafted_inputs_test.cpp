#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/bounds/simulated/runs.hpp"

// Inputs made against single lines of the bound of `generic`, which allows any order of the same
// roundings.

namespace deltaproof {
namespace {

using namespace simulated;

HeadInputs quiet_head(const Format& input, Index tokens, Index K, Index V) {
  HeadInputs head = regime_inputs("rand_sig_gdn", Rule::scalar_decay, input, tokens, K, V, 16, 1);
  head.q.setZero();
  head.k.setZero();
  head.v.setZero();
  head.g.setZero();
  head.initial_state.setZero();
  head.options.scale = 1;
  return head;
}

ChunkKernel generic_kernel(const Format& input) {
  return kernels_of("generic", input).front().kernel;
}

Tally judge_generic(const ChunkKernel& kernel, const HeadInputs& head, const Format& input) {
  return judge(runner(kernel), head, {.arithmetic = "generic", .input = input}, "").local;
}

// k e^{G_C - G_i} rounded to f16 below 2^-14: an absolute error, however small the decay makes the
// key.
TEST(CraftedInputs, OfKeysScaledIntoSubnormalF16) {
  HeadInputs head = quiet_head(formats::f16, 2, 4, 4);
  head.k.setConstant(1.37109375 * 0x1p-6);
  head.v.row(0).setConstant(8);
  head.g(1, 0) = static_cast<float>(-14 * std::log(2.0));
  ChunkKernel kernel = generic_kernel(formats::f16);
  kernel.scale_keys = true;
  const Tally tally = judge_generic(kernel, head, formats::f16);
  EXPECT_EQ(tally.violations, 0) << tally.worst << " at " << tally.where;
}

// q e^G rounded as an operand: near a power of two its step may be twice that of q, relatively.
TEST(CraftedInputs, OfQueriesScaledByTheirDecay) {
  ChunkKernel kernel = generic_kernel(formats::bf16);
  kernel.decay_queries = true;
  Tally worst;
  for (double g = -0.70; g < -0.66; g += 0.0003) {
    HeadInputs head = quiet_head(formats::bf16, 1, 1, 1);
    head.q.setConstant(1.9921875);
    head.initial_state.setConstant(1.00390625);
    head.g(0, 0) = static_cast<float>(g);
    worst.merge(judge_generic(kernel, head, formats::bf16));
  }
  EXPECT_EQ(worst.violations, 0) << worst.worst << " at " << worst.where;
}

// The same in f16, where q e^G may be subnormal and q is not.
TEST(CraftedInputs, OfQueriesScaledIntoSubnormalF16) {
  ChunkKernel kernel = generic_kernel(formats::f16);
  kernel.decay_queries = true;
  HeadInputs head = quiet_head(formats::f16, 1, 1, 1);
  head.q.setConstant(1.37109375 * 0x1p-8);
  head.initial_state.setConstant(1024);
  head.g(0, 0) = static_cast<float>(-14 * std::log(2.0));
  const Tally tally = judge_generic(kernel, head, formats::f16);
  EXPECT_EQ(tally.violations, 0) << tally.worst << " at " << tally.where;
}

}  // namespace
}  // namespace deltaproof
