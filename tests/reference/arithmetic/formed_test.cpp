// What kernels form from their inputs by themselves: rows, |k|^2 and the write coefficient.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/formed.hpp"
#include "reference/arithmetic/texts.hpp"
#include "tests/reference/arithmetic/containment.hpp"
#include "tests/reference/arithmetic/support.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

Bits bits_with(NormSum order, Rule rule = Rule::kla) {
  Declared declared = built_in("deltaproof-recurrent", rule).value();
  declared.norm_sum = order;
  return Bits(resolve(declared, formats::f32, formats::f32, false, false));
}

Options options_of(Rule rule, KlaVariant variant = KlaVariant::standard) {
  Options options;
  options.rule = rule;
  options.variant = variant;
  options.eps = 0x1p-20;
  options.c = 2;
  return options;
}

float coefficient(const Options& options, const MatrixF& key, double write) {
  const Matrix stored = Matrix::Constant(1, 1, write);
  return write_coefficients(bits_with(NormSum::warp, options.rule), options, key, stored)(0, 0);
}

// |k|^2 = 4 exactly, whatever the order.
TEST(WriteCoefficient, IsThatOfItsRuleAndVariant) {
  const MatrixF key = MatrixF::Ones(1, 4);
  EXPECT_EQ(coefficient(options_of(Rule::kla), key, 0.5), 0.5f / (4.0f + 0x1p-20f));
  EXPECT_EQ(coefficient(options_of(Rule::kla, KlaVariant::no_norm), key, 0.5), 0.5f);
  EXPECT_EQ(coefficient(options_of(Rule::kla, KlaVariant::key_norm_only), key, 0.5), 1.0f / (4.0f + 0x1p-20f));
  EXPECT_EQ(coefficient(options_of(Rule::kla, KlaVariant::learned_scalar), key, 0.5), 0.5f / (8.0f + 0x1p-20f));
  EXPECT_EQ(coefficient(options_of(Rule::longhorn_exact), key, 0.5), 0.5f / 3.0f);
  EXPECT_EQ(coefficient(options_of(Rule::gated_delta), key, 0.5), 0.5f);
}

// c n = 1 + 2^-11 + 2^-13 + 2^-24 lies on a midpoint: eps decides the last bit only if the product is not rounded
// before.
TEST(WriteCoefficient, FusesTheLearnedScalar) {
  Options options = options_of(Rule::kla, KlaVariant::learned_scalar);
  options.c = 1 + 0x1p-13;
  options.eps = 0x1p-25;
  MatrixF key(1, 1);
  key << 1 + 0x1p-12f;  // |k|^2 rounds to 1 + 2^-11
  const float n = 1 + 0x1p-11f, c = 1 + 0x1p-13f;
  ASSERT_NE(1 / std::fma(c, n, 0x1p-25f), 1 / (c * n + 0x1p-25f));
  EXPECT_EQ(coefficient(options, key, 1), 1 / std::fma(c, n, 0x1p-25f));
}

// 1 in lane 0 and twice 2^-24 in lanes that meet before they meet it.
TEST(SumOfSquares, OfAWarpIsByLanesThenHalves) {
  MatrixF key = MatrixF::Zero(1, 64);
  key(0, 0) = 1, key(0, 8) = key(0, 24) = 0x1p-12f;  // lanes 8 and 24 are 16 apart
  Options options = options_of(Rule::kla, KlaVariant::key_norm_only);
  options.eps = 0;
  EXPECT_EQ(coefficient(options, key, 1), 1 / (1 + 0x1p-23f));
  key(0, 24) = 0, key(0, 32) = 0x1p-12f;  // in lane 0: lost beside 1
  EXPECT_EQ(coefficient(options, key, 1), 1.0f);
}

TEST(NormalisedRows, FollowTheDeclaredOrder) {
  MatrixF row = MatrixF::Zero(1, 64);
  row(0, 0) = 1;
  for (const Index lane : {4, 12, 20, 28}) row(0, lane) = 0x1p-12f;  // these meet before they meet 1
  EXPECT_EQ(normalised_rows(row, 0, NormSum::unknown)(0, 0), 1.0f);
  EXPECT_EQ(normalised_rows(row, 0, NormSum::warp)(0, 0), 1.0f / std::sqrt(1 + 0x1p-22f));
  EXPECT_NE(normalised_rows(row, 0, NormSum::warp)(0, 0), 1.0f);
}

TEST(NoEmulation, RefusesWhatTheDeclarationDoesNotSay) {
  Declared declared = built_in("deltaproof-chunk", Rule::kla).value();
  Options options = options_of(Rule::kla);
  EXPECT_EQ(no_emulation(declared, options), "");
  EXPECT_EQ(no_emulation(declared, options_of(Rule::longhorn_exact)), "");
  options.variant = KlaVariant::single_gate;
  EXPECT_NE(no_emulation(declared, options).find("single_gate"), std::string::npos);
  options.variant = KlaVariant::standard;
  options.position = Position::inverse_sqrt;
  EXPECT_NE(no_emulation(declared, options).find("position"), std::string::npos);
  options.position = Position::one;
  declared.norm_sum = NormSum::unknown;
  EXPECT_NE(no_emulation(declared, options).find("write coefficient"), std::string::npos);
  EXPECT_NE(no_emulation(built_in("fla-chunk", Rule::kla).value(), options).find("kla"), std::string::npos);
}

// b formed from keys that the kernel normalised and rounded to 16 bits: far from b of the exact rows.
TEST(BitsInSets, WithRowsAndCoefficientsOfTheKernel) {
  std::uint64_t seed = 0;
  for (const char* name : {"deltaproof-chunk", "deltaproof-recurrent"}) {
    for (const Rule rule : {Rule::kla, Rule::longhorn_exact}) {
      for (const Format& input : {formats::bf16, formats::f16, formats::f32}) {
        for (const auto variant : {KlaVariant::standard, KlaVariant::key_norm_only, KlaVariant::learned_scalar}) {
          HeadInputs head = family_head(*find_regime("kla_mixnorm"), rule, input, {75, 24, 12, 32}, ++seed, true);
          head.options.qk_l2norm = seed % 2 == 0 ? L2Norm::none : L2Norm::both;
          head.options.variant = variant;
          head.options.c = 1.37;
          const bool normalises = seed % 2 != 0;
          const Resolved kernel = resolve(*built_in(name, rule), input, input, normalises, normalises, true);
          const Containment found = contain({kernel, kernel, &tensor_core("hopper"), 1}, head, true);
          EXPECT_EQ(found.outside, 0) << name << ", " << input.name << ": " << found.where;
          if (input != formats::f16) {  // b v overflows there
            EXPECT_GT(found.known, found.values / 2);
          }
          Resolved other = kernel;
          other.declared[Point::k].format = PointFormat::bf16;
          if (!normalises || kernel.format(Point::k) == formats::bf16) continue;
          EXPECT_GT(contain({kernel, other, &tensor_core("hopper"), 1}, head, true).outside, 0) << name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace deltaproof
