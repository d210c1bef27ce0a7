#include "tests/kernels/built_in_bits.hpp"

#include <gtest/gtest.h>

namespace deltaproof {
namespace {

class BuiltInBits : public testing::TestWithParam<const char*> {
 protected:
  std::string kernel() const { return GetParam(); }
  const BuiltInInfo& info() const { return *find_built_in_kernel(kernel()); }
};
INSTANTIATE_TEST_SUITE_P(, BuiltInBits, testing::Values("recurrent", "chunk"),
                         [](const auto& test) { return std::string(test.param); });

// The check that the other tests rest on.
TEST_P(BuiltInBits, OneBitThatDiffersIsFound) {
  RegimeShape shape;
  shape.tokens = 20, shape.K = 16, shape.V = 8;
  const Problem p = own_problem(kernel(), Rule::gated_delta, shape);
  const Outputs expected = expected_outputs(p);
  EXPECT_TRUE(same_bits(p, expected, expected));
  for (const char* tensor : {"o", "final_state"}) {
    Outputs other = expected;
    other.tensors.at(tensor).bytes[8] ^= std::byte{1};
    EXPECT_FALSE(same_bits(p, expected, other)) << tensor;
  }
}

// Every rule and type, with what else is drawn: sizes, chunks, heads, packed sequences, pools, layouts, norms.
TEST_P(BuiltInBits, AreThoseOfTheDeclaredArithmetic) {
  const BuiltInKernel run = on_host(kernel());
  for (const char* regime : {"typical", "near_parallel", "strong_decay", "kla_mixnorm"}) {
    const auto cases = static_cast<std::uint64_t>(usual_cases(info()));
    for (std::uint64_t index = 0; index < cases; ++index) {
      const Problem p = kernel_case(info(), *find_regime(regime), 11, index);
      EXPECT_TRUE(same_bits(p, expected_outputs(p), run.run(p)));
    }
  }
}

// Tails of K, of V and of the last chunk for each size of chunk and type; and the largest sizes.
TEST_P(BuiltInBits, HoldWithTails) {
  const BuiltInKernel run = on_host(kernel());
  struct Size {
    std::int64_t tokens, K, V;
  };
  constexpr std::array rules = {Rule::gated_delta, Rule::scalar_decay, Rule::vector_decay_delta, Rule::vector_decay};
  for (const auto [tokens, K, V] : {Size{70, 8, 40}, Size{17, 72, 8}, Size{5, 200, 16}, Size{64, 256, 256}}) {
    for (const char* chunk : {"16", "32", "64"}) {
      for (const Dtype type : input_types) {
        for (const Rule rule : rules) {
          RegimeShape shape;
          shape.tokens = tokens, shape.K = K, shape.V = V, shape.input = type, shape.initial_state = true;
          const Problem p = own_problem(kernel(), rule, shape, {{"chunk_size", chunk}, {"states_every", chunk}});
          EXPECT_TRUE(same_bits(p, expected_outputs(p), run.run(p))) << chunk;
        }
      }
    }
  }
}

// Decays that wipe the state and whose ratios are subnormal numbers or zero.
TEST_P(BuiltInBits, HoldWithResets) {
  const BuiltInKernel run = on_host(kernel());
  for (const Rule rule : {Rule::gated_delta, Rule::vector_decay_delta, Rule::vector_decay}) {
    for (const Dtype type : input_types) {
      RegimeShape shape;
      shape.tokens = 100, shape.K = 32, shape.V = 16, shape.input = type, shape.initial_state = true;
      const Problem p = own_problem(kernel(), rule, shape, {}, {}, "resets");
      EXPECT_TRUE(same_bits(p, expected_outputs(p), run.run(p)));
    }
  }
}

// More blocks than grid.y or grid.z may have; of the kernel that is quickest with so many.
TEST(RecurrentBits, HoldInGridsBeyond65535Blocks) {
  RegimeShape shape;
  shape.B = 65'540, shape.tokens = 1, shape.K = 8, shape.V = 8, shape.input = Dtype::f32;
  const Problem p = own_problem("recurrent", Rule::scalar_decay, shape);
  EXPECT_TRUE(same_bits(p, expected_outputs(p), on_host("recurrent").run(p)));
}

TEST(RecurrentBits, HoldForAnySizeFrom1) {
  const BuiltInKernel run = on_host("recurrent");
  for (const std::int64_t K : {1, 3, 7, 9, 33, 129, 255}) {
    RegimeShape shape;
    shape.tokens = 11, shape.K = K, shape.V = K == 1 ? 1 : 256 - K, shape.initial_state = true;
    const Problem p = own_problem("recurrent", Rule::gated_delta, shape, {{"qk_l2norm", "kernel"}});
    EXPECT_TRUE(same_bits(p, expected_outputs(p), run.run(p)));
  }
}

}  // namespace
}  // namespace deltaproof
