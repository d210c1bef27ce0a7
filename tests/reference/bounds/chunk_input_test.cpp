#include <gtest/gtest.h>

#include <cmath>

#include "properties/regimes/families.hpp"
#include "reference/bounds/chunk_input.hpp"
#include "reference/bounds/rounding.hpp"

namespace deltaproof {
namespace {

HeadInputs head_of(const char* regime, Rule rule, std::uint64_t seed = 1) {
  HeadInputs head = regime_head(*find_regime(regime), rule,
                                {.tokens = 20, .K = 8, .V = 6, .initial_state = true}, seed);
  return head;
}

ChunkInput input_of(const HeadInputs& head) {
  return chunk_input(head, head.initial_state, Matrix());
}

TEST(ChunkInput, HoldsTheCoefficientsOfTheEquations) {
  const HeadInputs head = head_of("rand_sig_gdn", Rule::kla);
  const ChunkInput in = input_of(head);
  EXPECT_EQ(in.k, head.k);
  EXPECT_TRUE(in.residual);
  for (Index t = 0; t < head.tokens; ++t) {
    const double b = head.write(t, 0) / (head.k.row(t).squaredNorm() + 1e-6);
    EXPECT_LE(std::abs(in.b(t, 0) - b), 0x1p-48 * b);
  }
  EXPECT_EQ(in.decay.sum(19, 0), -in.decay.size(19, 0));
  EXPECT_FALSE(input_of(head_of("rand_sig_gdn", Rule::scalar_decay)).residual);
  EXPECT_TRUE(input_of(head_of("rand_sig_gdn", Rule::vector_decay)).per_channel);
}

// A kernel that forms b in fp32 loses the last bits of a subnormal one, and all of one whose |k|^2 overflows.
TEST(ChunkInput, ChargesWhatUnderflowsInACoefficient) {
  HeadInputs head = head_of("rand_sig_gdn", Rule::kla);
  const double usual = input_of(head).b_error;
  EXPECT_LT(usual, 0x1p-18);
  head.write(3, 0) = 0x1p-124;  // |k| = 1: b is near the smallest normal number
  const double b = input_of(head).b(3, 0), error = input_of(head).b_error;
  EXPECT_GE(error, usual + 0x1p-150 / b) << "half a step of the subnormal numbers";
  EXPECT_TRUE(std::isinf(error)) << "flushed, nothing of it is left";
  head.write(3, 0) = 0x1p-116;
  EXPECT_GT(input_of(head).b_error, 100 * usual);
  EXPECT_FALSE(std::isinf(input_of(head).b_error));
  head.write(3, 0) = 0;
  EXPECT_EQ(input_of(head).b_error, usual) << "no write, no error";
  head.write(3, 0) = 0.5;
  head.k.row(3) *= 0x1p64;
  EXPECT_TRUE(std::isinf(input_of(head).b_error));
}

TEST(ChunkInput, TakesTheKernelsStateWithItsError) {
  const HeadInputs head = head_of("rand_sig_gdn", Rule::gated_delta);
  const Matrix error = Matrix::Constant(8, 6, 0.5);
  const ChunkInput in = chunk_input(head, head.initial_state, error);
  EXPECT_EQ(in.state_size(), Matrix(head.initial_state.cwiseAbs() + error));
  EXPECT_EQ(input_of(head).state_size(), Matrix(head.initial_state.cwiseAbs()));
}

// |S_out| <= transition_norm |S| for every S, and near it for the worst one.
TEST(ChunkInput, BoundsTheNormOfTheTransition) {
  for (const Regime& regime : regimes()) {
    for (const Rule rule :
         {Rule::gated_delta, Rule::vector_decay_delta, Rule::scalar_decay, Rule::kla}) {
      const HeadInputs head = head_of(regime.name.data(), rule);
      const ChunkInput in = input_of(head);
      Matrix M = Matrix::Identity(8, 8);
      for (Index t = 0; t < head.tokens; ++t) {
        if (head.g.size() != 0) {
          for (Index c = 0; c < 8; ++c) M.row(c) *= std::exp(head.g(t, head.g.cols() == 1 ? 0 : c));
        }
        if (in.residual) M -= in.b(t, 0) * in.k.row(t).transpose() * (in.k.row(t) * M).eval();
      }
      EXPECT_LE(M.jacobiSvd().singularValues()(0), in.transition_norm)
          << regime.name << ' ' << rule_info(rule).name;
    }
  }
}

TEST(ChunkInput, HasACoefficientErrorWhereTheKernelFormsTheCoefficient) {
  EXPECT_EQ(input_of(head_of("rand_sig_gdn", Rule::gated_delta)).b_error, 0);
  EXPECT_GT(input_of(head_of("rand_sig_gdn", Rule::longhorn_exact)).b_error, 8 * u32);
  HeadInputs kla = head_of("rand_sig_gdn", Rule::kla);
  const ChunkInput in = input_of(kla);
  for (Index t = 0; t < kla.tokens; ++t) {  // fp32, in the order of the text
    float square = 0;
    for (Index i = 0; i < 8; ++i)
      square += static_cast<float>(kla.k(t, i)) * static_cast<float>(kla.k(t, i));
    const float b = static_cast<float>(kla.write(t, 0)) / (square + 1e-6f);
    EXPECT_LE(std::abs(static_cast<double>(b) - in.b(t, 0)), in.b_error * in.b(t, 0));
  }
  kla.options.variant = KlaVariant::no_norm;
  EXPECT_EQ(input_of(kla).b_error, 0);
}

// b is formed from the keys as the kernel has them: normalised in fp32, every element off by all it
// may.
TEST(ChunkInput, CountsTheNormalisationOfKeysInTheCoefficient) {
  HeadInputs head = head_of("rand_sig_gdn", Rule::kla);
  head.options.qk_l2norm = L2Norm::k;
  const ChunkInput in = input_of(head);
  const double formation = input_of(head_of("rand_sig_gdn", Rule::kla)).b_error;
  for (Index t = 0; t < head.tokens; ++t) {
    const double square = in.k.row(t).squaredNorm();
    for (const double moved : {1 - in.normalise_error, 1 + in.normalise_error}) {
      const double b = head.write(t, 0) / (square * moved * moved + 1e-6);
      EXPECT_LE(std::abs(b / in.b(t, 0) - 1) + formation, in.b_error_with(in.normalise_error));
    }
  }
}

// single_gate: fl(1 - eta) is off by half an ulp of 1, however small its logarithm; over a chunk
// these add up.
TEST(ChunkInput, CoversTheLogarithmOfAGateNearOne) {
  HeadInputs head = head_of("rand_sig_gdn", Rule::kla);
  head.options.variant = KlaVariant::single_gate;
  for (const float eta : {0.7f, 0.3f, 0x1.234566p-6f, 0x1.234566p-12f}) {
    head.write.setConstant(static_cast<double>(eta));
    const ChunkInput in = input_of(head);
    GateRounding rounding{.scan_depth = 0, .exp_error = 0};
    rounding.log_error = in.g_error;
    const Approximate decay = decay_from_start(in.decay, rounding);
    const double kernel = std::pow(static_cast<double>(1.0f - eta), 20);
    EXPECT_LE(std::abs(kernel - decay.exact(19, 0)), decay.error(19, 0)) << eta;
  }
}

TEST(ChunkInput, CoversNormalisationInFp32) {
  HeadInputs head = head_of("rand_sig_gdn", Rule::gated_delta);
  head.options.qk_l2norm = L2Norm::both;
  const ChunkInput in = input_of(head);
  EXPECT_TRUE(in.q_normalised && in.k_normalised);
  for (Index t = 0; t < head.tokens; ++t) {
    float square = 0;
    for (Index i = 0; i < 8; ++i)
      square += static_cast<float>(head.q(t, i)) * static_cast<float>(head.q(t, i));
    const float factor = 1 / std::sqrt(square + 1e-6f);
    for (Index i = 0; i < 8; ++i) {
      const double q = static_cast<float>(head.q(t, i)) * factor;
      EXPECT_LE(std::abs(q - in.q(t, i)), in.normalise_error * std::abs(in.q(t, i)));
    }
  }
}

}  // namespace
}  // namespace deltaproof
