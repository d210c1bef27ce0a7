#include "properties/runs/kernel_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace deltaproof {
namespace {

const Regime& typical() { return *find_regime("typical"); }

class KernelCase : public testing::TestWithParam<const char*> {
 protected:
  const BuiltInInfo& kernel() const { return *find_built_in_kernel(GetParam()); }
};

TEST_P(KernelCase, UsualCasesHoldEveryRuleInEveryType) {
  std::set<std::pair<Rule, Dtype>> seen;
  std::set<Dtype> large_K, large_V;
  std::set<std::tuple<Dtype, std::int64_t, bool>> chunks;
  for (std::int64_t i = 0; i < usual_cases(kernel()); ++i) {
    const Problem problem = kernel_case(kernel(), typical(), 1, static_cast<std::uint64_t>(i));
    const Dtype input = problem.find("q")->dtype;
    seen.insert({problem.options().rule, input});
    if (problem.dims().K > 128) large_K.insert(input);
    if (problem.dims().V > 128) large_V.insert(input);
    const bool per_channel = rule_info(problem.options().rule).decay == Decay::per_channel;
    chunks.insert({input, problem.options().chunk_size, per_channel});
  }
  EXPECT_EQ(seen.size(), kernel().rules.size() * kernel().inputs.size());
  EXPECT_EQ(large_K.size(), kernel().inputs.size());
  EXPECT_EQ(large_V.size(), kernel().inputs.size());
  if (!kernel().chunks.empty()) {
    EXPECT_EQ(chunks.size(), 2 * kernel().chunks.size() * kernel().inputs.size());
  }
}

TEST_P(KernelCase, UsualCasesHoldKlaItselfAndItsVariants) {
  std::set<KlaVariant> seen;
  for (std::int64_t i = 0; i < usual_cases(kernel()); ++i) {
    const Problem problem = kernel_case(kernel(), typical(), 0, static_cast<std::uint64_t>(i));
    if (problem.options().rule == Rule::kla) seen.insert(problem.options().variant);
  }
  EXPECT_TRUE(seen.contains(KlaVariant::standard));
  EXPECT_GE(seen.size(), kernel().chunks.empty() ? 2u : 4u);
}

TEST_P(KernelCase, NoCaseIsRefused) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Problem problem = kernel_case(kernel(), typical(), 7, i);
    EXPECT_EQ(refusal_of(kernel(), problem), "") << problem.name();
  }
}

TEST_P(KernelCase, SameSeedAndIndexGiveTheSameCase) {
  const Problem one = kernel_case(kernel(), typical(), 5, 11), again = kernel_case(kernel(), typical(), 5, 11);
  EXPECT_EQ(one.name(), again.name());
  ASSERT_EQ(one.tensors().size(), again.tensors().size());
  for (const auto& [name, tensor] : one.tensors()) EXPECT_EQ(tensor.bytes, again.find(name)->bytes) << name;
  EXPECT_NE(kernel_case(kernel(), typical(), 6, 11).find("q")->bytes, one.find("q")->bytes);
}

TEST_P(KernelCase, EveryOptionIsDrawn) {
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Problem problem = kernel_case(kernel(), typical(), 9, i);
    const Dimensions& d = problem.dims();
    if (problem.find("cu_seqlens") != nullptr) seen.insert("packed");
    if (problem.find("state_indices") != nullptr) seen.insert("pool");
    if (problem.find("initial_state") == nullptr) seen.insert("no state");
    if (d.HV > d.H) seen.insert("grouped values");
    if (d.T == 1) seen.insert("decoding");
    if (problem.options().state_layout == StateLayout::vk) seen.insert("vk");
    if (problem.options().qk_l2norm == L2Norm::both) seen.insert("l2norm");
    if (problem.options().scale_given) seen.insert("scale");
    for (const Sequence& sequence : problem.sequences()) {
      if (sequence.length == 0) seen.insert("empty sequence");
      if (sequence.state_row < 0) seen.insert("padding");
    }
    if (const Tensor* beta = problem.find("beta"); beta != nullptr && beta->dtype != Dtype::f32) seen.insert("beta");
    if (const Tensor* g = problem.find("g"); g != nullptr && g->dtype != Dtype::f32) seen.insert("g");
    if (d.HV > 2 * d.H) seen.insert("three value heads a key head");
    if (problem.find("cu_seqlens") != nullptr && problem.find("state_indices") != nullptr) seen.insert("packed pool");
    if (problem.options().eps != 1e-6) seen.insert("eps");
    if (problem.options().qk_l2norm_eps != 1e-6) seen.insert("qk_l2norm_eps");
    if (problem.options().rule == Rule::kla && problem.options().variant == KlaVariant::no_norm)
      seen.insert("no_norm");
    if (problem.sequences().size() > 4) seen.insert("many sequences");
  }
  EXPECT_EQ(seen.size(), 18u);
}

TEST_P(KernelCase, RowsThatAKernelNormalisesAreNotOfUnitLength) {
  int seen = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Problem problem = kernel_case(kernel(), typical(), 3, i);
    const L2Norm norm = problem.options().qk_l2norm;
    for (const auto& [name, normalised] : {std::pair{"q", norm == L2Norm::q || norm == L2Norm::both},
                                           std::pair{"k", norm == L2Norm::k || norm == L2Norm::both}}) {
      double square = 0;
      for (std::int64_t c = 0; c < problem.dims().K; ++c) square += std::pow(problem.find(name)->value(c), 2);
      EXPECT_NEAR(square, normalised ? 9 : 1, 0.3) << name << " of " << problem.name();
      seen += normalised ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 20);
}

class CacheCase : public KernelCase {};

TEST_P(CacheCase, NoCaseIsRefused) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Problem problem = kernel_case(kernel(), typical(), 7, i, i % 2 == 0 ? CaseSizes::usual : CaseSizes::small);
    EXPECT_EQ(refusal_of(kernel(), problem), "") << problem.name();
    EXPECT_TRUE(problem.unused().empty()) << problem.name() << ": " << problem.unused().front();
  }
}

std::int64_t longest(const Problem& problem) {
  std::int64_t most = 0;
  for (const Sequence& sequence : problem.sequences()) most = std::max(most, sequence.length);
  return most;
}

TEST_P(CacheCase, CachesOfEverySizeAreDrawn) {
  std::set<std::string> seen;
  std::set<CacheScore> scores;
  int open = 0, several_blocks = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Problem problem = kernel_case(kernel(), typical(), 9, i);
    const HolaOptions& hola = problem.options().hola;
    const std::int64_t T = longest(problem);
    scores.insert(hola.score);
    if (hola.cache_size == 0) seen.insert("no cache");
    if (hola.cache_size >= T) seen.insert("a cache of all");
    if (hola.cache_block == 1) seen.insert("blocks of one");
    if (hola.cache_block > T) seen.insert("one block");
    if (hola.read == CacheRead::l2) seen.insert("l2");
    if (hola.tau != 1) seen.insert("tau");
    if (hola.read_eps != 1e-6) seen.insert("read_eps");
    if (hola.state_rule == Rule::kla) seen.insert("kla");
    if (problem.options().qk_l2norm != L2Norm::both) seen.insert("not all normalised");
    if (problem.find("sink")->dtype != Dtype::f32) seen.insert("parameters in 16 bits");
    open += problem.find("cache_gate")->value(0) > -10;
    several_blocks += hola.cache_block < T && hola.cache_size > 0 && hola.cache_size < T;
  }
  EXPECT_EQ(seen.size(), 10u) << testing::PrintToString(seen);
  EXPECT_EQ(scores.size(), kernel().chunks.empty() ? 5u : 4u);
  EXPECT_EQ(open, 200);
  EXPECT_GT(several_blocks, 80);
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, CacheCase, testing::Values("hola", "hola_decode"),
                         [](const auto& kernel) { return std::string(kernel.param); });

INSTANTIATE_TEST_SUITE_P(BuiltIn, KernelCase, testing::Values("recurrent", "chunk"),
                         [](const auto& kernel) { return std::string(kernel.param); });

}  // namespace
}  // namespace deltaproof
