#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "properties/regimes/families.hpp"
#include "tests/reference/bounds/simulated/runs.hpp"
#include "tests/reference/bounds/simulated/token_kernel.hpp"

// Correct kernels, simulated, stay within the bound of the arithmetic they declare, over every
// regime.

namespace deltaproof {
namespace {

using namespace simulated;

struct Shape {
  Index K, V, C, tokens;
};
// The last chunk is partial; one of a single token.
constexpr Shape shapes[] = {{16, 16, 16, 53}, {32, 16, 32, 75}, {24, 40, 64, 129}};

// Rules of the arithmetic; the regime's own where it is one of them.
std::vector<Rule> rules_of(const std::string& arithmetic) {
  if (arithmetic == "fla-simple-gla-chunk") return {Rule::scalar_decay, Rule::linear};
  if (arithmetic == "fla-kda-chunk") return {Rule::vector_decay_delta};
  if (arithmetic == "fla-gla-chunk") return {Rule::vector_decay};
  if (arithmetic == "generic")
    return {Rule::gated_delta, Rule::vector_decay_delta, Rule::scalar_decay};
  return {Rule::gated_delta, Rule::delta};
}

struct Declared {
  std::string arithmetic;
  Format input;
};

std::string name_of(const testing::TestParamInfo<Declared>& info) {
  std::string name = info.param.arithmetic + "_" + std::string(info.param.input.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

void expect_within(const RunTally& tally, const std::string& what) {
  EXPECT_EQ(tally.local.violations, 0)
      << what << ": worst " << tally.local.worst << " at " << tally.local.where;
  EXPECT_EQ(tally.whole.violations, 0)
      << what << ": worst " << tally.whole.worst << " at " << tally.whole.where;
  EXPECT_GT(tally.local.values, 10000) << what;
  testing::Test::RecordProperty(what + ": error / bound, each chunk",
                                std::to_string(tally.local.worst));
  testing::Test::RecordProperty(what + ": error / bound, whole run",
                                std::to_string(tally.whole.worst));
}

constexpr std::uint64_t seeds = 2;

// `run` over every regime and seed; shapes and rules take turns.
RunTally over_regimes(const ChunkRunner& run, const Judged& judged,
                      const std::vector<Rule>& rules) {
  RunTally total;
  std::size_t turn = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const Regime& regime : regimes()) {
      const Shape shape = shapes[turn % std::size(shapes)];
      const bool kla = regime.rule == Rule::kla && rules.front() == Rule::gated_delta;
      const Rule rule = kla ? Rule::kla : rules[turn % rules.size()];
      const HeadInputs head = regime_inputs(regime.name, rule, judged.input, shape.tokens, shape.K,
                                            shape.V, shape.C, seed);
      const std::string place = std::string(regime.name) + ", " +
                                std::string(rule_info(rule).name) + ", seed " +
                                std::to_string(seed);
      total.merge(judge(run, head, judged, place));
      ++turn;
    }
  }
  return total;
}

class ChunkKernels : public testing::TestWithParam<Declared> {};

TEST_P(ChunkKernels, StayWithinTheirBoundInEveryRegime) {
  const auto& [arithmetic, input] = GetParam();
  for (const NamedKernel& named : kernels_of(arithmetic, input)) {
    const Judged judged{.arithmetic = arithmetic, .input = input};
    const RunTally total = over_regimes(runner(named.kernel), judged, rules_of(arithmetic));
    expect_within(total, named.name);
    // Nothing is known only where f16 may overflow: b v of the kla regimes, the inverse of parallel
    // keys.
    if (input != formats::f16) {
      EXPECT_EQ(total.whole.unbounded, 0) << named.name << total.whole.unbounded_at;
    }
    EXPECT_LT(total.local.unbounded, total.local.values / 3)
        << named.name << total.local.unbounded_at;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetics, ChunkKernels,
    testing::Values(
        Declared{"fla-chunk", formats::bf16}, Declared{"fla-chunk", formats::f16},
        Declared{"fla-chunk", formats::f32}, Declared{"nvlabs-chunk", formats::bf16},
        Declared{"nvlabs-chunk", formats::f16}, Declared{"nvlabs-chunk", formats::f32},
        Declared{"fla-simple-gla-chunk", formats::bf16},
        Declared{"fla-simple-gla-chunk", formats::f16},
        Declared{"fla-simple-gla-chunk", formats::f32}, Declared{"fla-kda-chunk", formats::bf16},
        Declared{"fla-kda-chunk", formats::f16}, Declared{"fla-kda-chunk", formats::f32},
        Declared{"fla-gla-chunk", formats::bf16}, Declared{"fla-gla-chunk", formats::f16},
        Declared{"fla-gla-chunk", formats::f32}, Declared{"generic", formats::bf16},
        Declared{"generic", formats::f16}, Declared{"generic", formats::f32}),
    name_of);

TEST(TokenKernels, StayWithinTheirBoundInEveryRegime) {
  using Order = TokenKernel::Order;
  const std::pair<const char*, TokenKernel> kernels[] = {
      {"fla-recurrent, fma ascending", {}},
      {"fla-recurrent, fma descending, exp high", {Order::descending, true, false, {1, false}}},
      {"fla-recurrent, no fma, pairwise, exp low and flushed",
       {Order::pairwise, false, false, {-1, true}}}};
  for (const auto& [name, kernel] : kernels) {
    const Judged judged{
        .arithmetic = "fla-recurrent", .kind = BoundChoice::Kind::token, .input = formats::bf16};
    const ChunkRunner run = [k = kernel](const HeadInputs& slice) { return run_tokens(k, slice); };
    const RunTally total = over_regimes(
        run, judged, {Rule::gated_delta, Rule::vector_decay_delta, Rule::scalar_decay});
    expect_within(total, name);
    EXPECT_EQ(total.whole.unbounded, 0) << name << total.whole.unbounded_at;
  }
}

// Errors of subnormal size, in outputs of subnormal size.
}  // namespace
}  // namespace deltaproof
