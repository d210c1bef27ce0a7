#include <gtest/gtest.h>

#include <cmath>

#include "properties/regimes/families.hpp"
#include "reference/bounds/token_bound.hpp"
#include "tests/reference/bounds/simulated/runs.hpp"
#include "tests/reference/bounds/simulated/token_kernel.hpp"

// The token recurrence's bound beyond the regimes of simulated_kernels_test: propagators, orders,
// extremes.

namespace deltaproof {
namespace {

using namespace simulated;

const Judged judged{
    .arithmetic = "fla-recurrent", .kind = BoundChoice::Kind::token, .input = formats::f32};

ChunkRunner runner_of(const TokenKernel& kernel) {
  return [kernel](const HeadInputs& slice) { return run_tokens(kernel, slice); };
}

LocalBound bound_of(const HeadInputs& head, const Matrix& state_error = {}) {
  return token_bound(head, chunk_input(head, head.initial_state, state_error), TokenRounding{},
                     true);
}

// o(S + d) = o(S) + read d and the same for the state: exact up to what double loses.
TEST(TokenBound, HoldsTheExactPropagators) {
  for (const Rule rule :
       {Rule::gated_delta, Rule::vector_decay_delta, Rule::scalar_decay, Rule::linear, Rule::kla}) {
    HeadInputs head = regime_inputs("rand_sig_gdn", rule, formats::bf16, 12, 8, 5, 16, 3);
    const LocalBound bound = bound_of(head);
    const HeadAnswer before = answer_double(head, {});
    const Matrix d = Matrix::Random(8, 5);
    head.initial_state += d;
    const HeadAnswer after = answer_double(head, {});
    const double allowed = (before.o_radius + after.o_radius).maxCoeff();
    EXPECT_LE((after.o - before.o - bound.read * d).cwiseAbs().maxCoeff(), 4 * allowed);
    EXPECT_LE((after.states[0] - before.states[0] - bound.transition * d).cwiseAbs().maxCoeff(),
              4 * (before.state_radius[0] + after.state_radius[0]).maxCoeff());
  }
}

// An error of the state enlarges the bound, since it enlarges what is rounded.
TEST(TokenBound, GrowsWithTheStatesError) {
  const HeadInputs head =
      regime_inputs("rand_sig_gdn", Rule::gated_delta, formats::bf16, 12, 8, 5, 16, 3);
  const Matrix plain = bound_of(head).o.sum(12, 5);
  const Matrix larger = bound_of(head, Matrix::Constant(8, 5, 1.0)).o.sum(12, 5);
  EXPECT_TRUE((larger.array() > plain.array()).all());
}

TEST(TokenBound, SplitsIntoNamedTerms) {
  const HeadInputs head =
      regime_inputs("rand_sig_gdn", Rule::gated_delta, formats::bf16, 12, 8, 5, 16, 3);
  const LocalBound apart = bound_of(head);
  const LocalBound whole =
      token_bound(head, chunk_input(head, head.initial_state, Matrix()), TokenRounding{}, false);
  EXPECT_GE(apart.o.list().size(), 4u);
  EXPECT_EQ(whole.o.list().size(), 1u);
  EXPECT_LE((apart.o.sum(12, 5) - whole.o.sum(12, 5)).cwiseAbs().maxCoeff(),
            0x1p-50 * whole.o.sum(12, 5).maxCoeff());
}

TEST(TokenBound, HoldsForOneTokenAndStrongGates) {
  for (const float g : {-0.0f, -1e-6f, -5.0f, -60.0f, -86.0f, -100.0f, -1000.0f, -1e4f}) {
    for (const double push : {-1.0, 1.0}) {
      for (const Rule rule :
           {Rule::gated_delta, Rule::scalar_decay, Rule::vector_decay, Rule::vector_decay_delta}) {
        HeadInputs head = regime_inputs("rand_sig_gdn", rule, formats::f32, 3, 16, 8, 16, 4);
        head.g.setConstant(static_cast<double>(g));
        const TokenKernel kernel{.exponential = {push, push < 0}};
        EXPECT_EQ(judge(runner_of(kernel), head, judged, "").local.violations, 0)
            << g << ' ' << rule_info(rule).name;
      }
    }
  }
}

// The gate is most of a pure decay's error: 2.5 ulp in every token, all one way, against 2 ulp and
// more.
TEST(TokenBound, OfAPureDecayIsNearlyAttained) {
  HeadInputs head =
      regime_inputs("rand_sig_gdn", Rule::scalar_decay, formats::f32, 64, 8, 8, 64, 4);
  head.v.setZero();
  head.g.setConstant(static_cast<double>(-0.001f));
  TokenKernel kernel;
  kernel.exponential.push = 1;
  const Tally tally = judge(runner_of(kernel), head, judged, "").local;
  EXPECT_EQ(tally.violations, 0);
  EXPECT_GT(tally.worst, 0.25);
}

// v - k . S as a chain that starts at v: each product is less than half an ulp of v, and all are
// lost.
TEST(TokenBound, HoldsForResidualsAccumulatedFromTheValue) {
  HeadInputs head = regime_inputs("rand_sig_gdn", Rule::delta, formats::f32, 1, 64, 2, 16, 4);
  head.k.setConstant(0.125);
  head.v.setConstant(1.5);
  head.write.setConstant(1.0);
  head.initial_state.setConstant(static_cast<float>(0.49 * 0x1p-23 / 0.125));
  TokenKernel kernel;
  const Tally dot_first = judge(runner_of(kernel), head, judged, "").local;
  EXPECT_EQ(dot_first.violations, 0) << dot_first.worst;
  kernel.from_value = true;
  const Tally tally = judge(runner_of(kernel), head, judged, "").local;
  EXPECT_EQ(tally.violations, 0) << tally.worst << " at " << tally.where;
}

// Scaling the values by a power of two scales the bound, far from both ends of the range of fp32.
TEST(TokenBound, ScalesWithTheValues) {
  HeadInputs head = regime_inputs("rand_sig_gdn", Rule::gated_delta, formats::bf16, 48, 8, 5, 48, 3);
  head.initial_state.setZero();
  const Matrix before = bound_of(head).o.sum(48, 5);
  const double factor = 0x1p100;
  head.v *= factor;
  const Matrix after = bound_of(head).o.sum(48, 5);
  // What is not scaled is what flushing may cost: it can only shrink, relative to the rest.
  EXPECT_TRUE((after.array() <= before.array() * factor * (1 + 0x1p-30)).all());
  EXPECT_TRUE((after.array() >= before.array() * factor * 0.999).all());
}

// single_gate: alpha = e^g from g = log(1 - eta), both in fp32: more than two roundings.
TEST(TokenBound, HoldsForAGateThatTheKernelForms) {
  HeadInputs head = regime_inputs("rand_sig_gdn", Rule::kla, formats::f32, 64, 8, 8, 64, 4);
  head.options.variant = KlaVariant::single_gate;
  head.g = Matrix();
  head.write.setConstant(static_cast<double>(0x1.234566p-5f));
  head.v.setZero();
  head.k.setZero();
  const Matrix g = head.write.unaryExpr(
      [](double eta) { return static_cast<double>(std::log(1.0f - static_cast<float>(eta))); });
  TokenKernel kernel;
  kernel.exponential.push = 1.9;  // 2^-21 is declared: 2.1 times the push
  const ChunkRunner run = [&](const HeadInputs& slice) {
    HeadInputs formed = slice;
    formed.options.variant = KlaVariant::standard;
    formed.g = g.topRows(slice.tokens);
    return run_tokens(kernel, formed);
  };
  const Tally tally = judge(run, head, judged, "").local;
  EXPECT_EQ(tally.violations, 0) << tally.worst << " at " << tally.where;
}

}  // namespace
}  // namespace deltaproof
