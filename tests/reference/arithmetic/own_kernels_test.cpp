// The declarations of the kernels of this repository against plain loops that follow the page 'Built-in kernels', to
// the bit; with any other choice in them bits differ.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "tests/reference/arithmetic/plain_kernels.hpp"
#include "tests/reference/arithmetic/support.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

constexpr Rule rules[] = {Rule::linear, Rule::scalar_decay, Rule::vector_decay, Rule::delta,
                          Rule::gated_delta, Rule::kla, Rule::longhorn_exact, Rule::vector_decay_delta};

std::int64_t unequal(const MatrixF& x, const std::vector<std::vector<float>>& y) {
  std::int64_t count = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      const float other = y[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      count += std::bit_cast<std::uint32_t>(x(i, j)) != std::bit_cast<std::uint32_t>(other);
    }
  }
  return count;
}

std::int64_t unequal(const Emulation& x, const PlainRun& y) {
  std::int64_t count = unequal(x.o, y.o);
  for (std::size_t n = 0; n < x.states.size(); ++n) count += unequal(x.states[n], y.states[n]);
  return count;
}

bool normalises(const HeadInputs& head) { return head.options.qk_l2norm != L2Norm::none; }

Emulation emulated(const Declared& declared, const HeadInputs& head) {
  return emulate(resolve(declared, formats::f32, formats::f32, normalises(head), normalises(head), true), head,
                 head.options.chunk_size, true);
}

HeadInputs head_of(Rule rule, Index chunk, std::uint64_t seed) {
  const char* family = seed % 2 == 0 ? "rand_sig_gdn" : "near_parallel";
  return family_head(*find_regime(family), rule, formats::f32, {75, 40, 12, chunk}, seed, true);
}

TEST(OwnKernels, GiveTheBitsOfPlainLoops) {
  std::uint64_t seed = 0;
  for (const Rule rule : rules) {
    for (const Index chunk : {16, 32, 64}) {
      HeadInputs head = head_of(rule, chunk, ++seed);
      if (seed % 3 == 0) head.options.qk_l2norm = L2Norm::both;
      const std::string name = std::string(rule_info(rule).name) + ", chunk " + std::to_string(chunk);
      EXPECT_EQ(unequal(emulated(*built_in("deltaproof-chunk", rule), head), plain_chunk(head, chunk)), 0) << name;
      EXPECT_EQ(unequal(emulated(*built_in("deltaproof-recurrent", rule), head), plain_recurrent(head, chunk)), 0)
          << name;
    }
  }
}

TEST(OwnKernels, FormEachVariantOfTheWriteCoefficient) {
  for (const auto variant : {KlaVariant::standard, KlaVariant::no_norm, KlaVariant::key_norm_only,
                             KlaVariant::learned_scalar}) {
    HeadInputs head = family_head(*find_regime("kla_mixnorm"), Rule::kla, formats::f32, {40, 72, 8, 32}, 7, true);
    head.options.variant = variant;
    head.options.c = 1.37;
    EXPECT_EQ(unequal(emulated(*built_in("deltaproof-chunk", Rule::kla), head), plain_chunk(head, 32)), 0);
    EXPECT_EQ(unequal(emulated(*built_in("deltaproof-recurrent", Rule::kla), head), plain_recurrent(head, 32)), 0);
    Declared chain = *built_in("deltaproof-recurrent", Rule::kla);
    chain.norm_sum = NormSum::unknown;  // then b is taken as stored
    EXPECT_EQ(unequal(emulated(chain, head), plain_recurrent(head, 32)) > 0, variant != KlaVariant::no_norm);
  }
}

// A choice that only hopper's tensor core, 16-bit inputs or products in parts would show is not among these.
bool shows_in_fp32(const Variation& variation, const Declared& declared) {
  Declared same = variation.declared;
  same.mma = declared.mma, same.parts = declared.parts, same.at = declared.at, same.u_ieee = declared.u_ieee;
  same.channel_order = declared.channel_order;
  return same != declared;
}

TEST(OwnKernels, DoNotWithAnotherChoice) {
  for (const char* name : {"deltaproof-chunk", "deltaproof-recurrent"}) {
    for (const Rule rule : {Rule::scalar_decay, Rule::gated_delta, Rule::vector_decay_delta}) {
      const Declared declared = *built_in(name, rule);
      HeadInputs decaying =
          family_head(*find_regime("near_parallel"), rule, formats::f32, {128, 40, 16, 64}, 3, true);
      for (Index i = 0; i < decaying.g.size(); ++i) {
        const double g = -0.0173 - 0.0029 * static_cast<double>(i * 37 % 101);
        decaying.g.data()[i] = static_cast<float>(g);
      }
      const bool chunk = declared.text != "deltaproof-recurrent";
      const PlainRun plain = chunk ? plain_chunk(decaying, 64) : plain_recurrent(decaying, 64);
      for (const Variation& variation : variations(declared)) {
        if (!shows_in_fp32(variation, declared)) continue;
        const std::string what = std::string(name) + ", " + variation.difference;
        if (variation.difference.starts_with("exp2 approx_ftz")) continue;  // differs below 2^-126 alone
        if (variation.difference.starts_with("v_scaled_from")) continue;    // nothing is rounded
        EXPECT_GT(unequal(emulated(variation.declared, decaying), plain), 0) << what;
      }
    }
  }
}

}  // namespace
}  // namespace deltaproof
