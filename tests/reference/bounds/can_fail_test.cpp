#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "properties/regimes/families.hpp"
#include "tests/reference/bounds/simulated/runs.hpp"
#include "tests/reference/bounds/simulated/token_kernel.hpp"

// The bounds are not vacuous: a quarter of each would call a correct kernel wrong. And a wrong
// kernel is out.

namespace deltaproof {
namespace {

using namespace simulated;

RunTally over_regimes(const ChunkRunner& run, const Judged& judged, Rule rule) {
  RunTally total;
  std::uint64_t seed = 0;
  for (const Regime& regime : regimes()) {
    const HeadInputs head = regime_inputs(regime.name, rule, judged.input, 53, 16, 16, 16, seed++);
    total.merge(judge(run, head, judged, std::string(regime.name)));
  }
  return total;
}

struct Case {
  const char* arithmetic;
  Rule rule;
};

class Quarter : public testing::TestWithParam<Case> {};

TEST_P(Quarter, OfTheBoundIsBrokenByACorrectKernel) {
  for (const Format& input : {formats::bf16, formats::f16, formats::f32}) {
    const ChunkKernel kernel = kernels_of(GetParam().arithmetic, input).front().kernel;
    const Judged judged{.arithmetic = GetParam().arithmetic, .input = input, .shrink = 4};
    const RunTally tally = over_regimes(runner(kernel), judged, GetParam().rule);
    EXPECT_GT(tally.local.violations, 0) << input.name << ": worst " << tally.local.worst;
    EXPECT_GT(tally.whole.violations, 0) << input.name << ": worst " << tally.whole.worst;
  }
}

// A state copy that is one rounding poorer than declared (6 bits).
TEST_P(Quarter, AndACoarserFormatThanDeclaredBreaksTheBound) {
  ChunkKernel kernel = kernels_of(GetParam().arithmetic, formats::bf16).front().kernel;
  kernel.roundings.format = Format{"bf16 less two bits", 6, -126, 127};
  const Judged judged{.arithmetic = GetParam().arithmetic, .input = formats::bf16};
  EXPECT_GT(over_regimes(runner(kernel), judged, GetParam().rule).local.violations, 0);
}

INSTANTIATE_TEST_SUITE_P(Arithmetics, Quarter,
                         testing::Values(Case{"fla-chunk", Rule::gated_delta},
                                         Case{"nvlabs-chunk", Rule::gated_delta},
                                         Case{"fla-simple-gla-chunk", Rule::scalar_decay},
                                         Case{"fla-kda-chunk", Rule::vector_decay_delta},
                                         Case{"fla-gla-chunk", Rule::vector_decay},
                                         Case{"generic", Rule::gated_delta}),
                         [](const auto& arithmetic) {
                           std::string name = arithmetic.param.arithmetic;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(TokenKernels, BreakAQuarterOfTheirBoundOnlyByAnAdversary) {
  const Judged judged{.arithmetic = "fla-recurrent",
                      .kind = BoundChoice::Kind::token,
                      .input = formats::bf16,
                      .shrink = 4};
  TokenKernel kernel;
  kernel.exponential.push = 1;
  const ChunkRunner run = [&](const HeadInputs& slice) { return run_tokens(kernel, slice); };
  EXPECT_GT(over_regimes(run, judged, Rule::gated_delta).whole.violations, 0);
}

// The state kept in bf16 is no fp32 recurrence.
TEST(TokenKernels, WithARoundedStateAreOut) {
  const Judged judged{
      .arithmetic = "fla-recurrent", .kind = BoundChoice::Kind::token, .input = formats::bf16};
  const ChunkRunner run = [](const HeadInputs& slice) {
    ChunkOutput out = run_tokens({}, slice);
    out.state =
        out.state.unaryExpr([](double x) { return round_to_nearest_even(formats::bf16, x); });
    return out;
  };
  EXPECT_GT(over_regimes(run, judged, Rule::gated_delta).local.violations, 0);
}

}  // namespace
}  // namespace deltaproof
