#include "reference/tensor_core.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace deltaproof {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

float hopper(std::vector<float> a, std::vector<float> b, float c, Operand operand = Operand::bf16) {
  return tensor_core_dot(tensor_core("hopper"), a, b, c, operand);
}

TEST(TensorCoreTable, FindsByNameOnly) {
  EXPECT_EQ(find_tensor_core("hopper")->name, "hopper");
  EXPECT_EQ(find_tensor_core("Hopper"), nullptr);
  EXPECT_EQ(find_tensor_core(""), nullptr);
  EXPECT_THROW(tensor_core("tpu"), std::logic_error);
}

TEST(TensorCoreTable, OnlyWhatWasComparedWithHardwareIsVerified) {
  for (const TensorCoreModel& model : tensor_core_table()) {
    EXPECT_EQ(model.verified, model.name == "hopper" || model.name == "fp32_rn") << model.name;
  }
}

TEST(TensorCoreDot, AddsSmallIntegersExactlyInEveryModel) {
  const std::vector<float> a{1, 2, 3, 4, 5, -6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -16, 17};
  const std::vector<float> b{1, -1, 2, 2, 3, 3, 4, 4, -5, 5, 6, 6, 7, 7, 8, 8, 9};
  float sum = 100;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  for (const TensorCoreModel& model : tensor_core_table()) {
    if (model.accumulation == Accumulation::envelope) continue;
    EXPECT_EQ(tensor_core_dot(model, a, b, 100, Operand::bf16), sum) << model.name;
  }
}

TEST(TensorCoreDot, EmptySumIsTheAccumulator) { EXPECT_EQ(hopper({}, {}, 0.1f), 0.1f); }

TEST(TensorCoreDot, TruncatesTowardsZeroOnBothSides) {
  // 1 + 3 * 2^-25 is kept to the last bit by F = 25 and then cut to 24 bits.
  EXPECT_EQ(hopper({0x1.8p-12f}, {0x1p-12f}, 1), 1.0f);
  EXPECT_EQ(hopper({-0x1.8p-12f}, {0x1p-12f}, -1), -1.0f);
  // A product below 2^-25 of the largest term is lost before it can be added.
  EXPECT_EQ(hopper({-0x1p-13f}, {0x1p-13f}, 1), 1.0f);
  EXPECT_EQ(hopper({-0x1p-12f}, {0x1p-13f}, 1), 0x1.fffffep-1f);
}

TEST(TensorCoreDot, PassesAreDividedByTheModelsDepth) {
  // 8 products of 2^-24 and an accumulator of 1: each is kept when F = 24, and one pass of 8 makes
  // 8 * 2^-24 = 2^-21 of them. Volta keeps 23 bits and loses all.
  const std::vector<float> a(8, 0x1p-12f);
  EXPECT_EQ(tensor_core_dot(tensor_core("ampere"), a, a, 1, Operand::f16), 1 + 0x1p-21f);
  EXPECT_EQ(tensor_core_dot(tensor_core("volta"), a, a, 1, Operand::f16), 1.0f);
  // One at a time 2^-24 is cut from each result.
  float one_at_a_time = 1;
  for (float x : a)
    one_at_a_time =
        tensor_core_dot(tensor_core("ampere"), {&x, 1}, {&x, 1}, one_at_a_time, Operand::f16);
  EXPECT_EQ(one_at_a_time, 1.0f);
}

TEST(SpecialNumbers, OneNan) {
  for (const float x : {nan, -nan}) {
    EXPECT_EQ(bits(hopper({x}, {1}, 0)), 0x7fffffffu);
    EXPECT_EQ(bits(hopper({1}, {1}, x)), 0x7fffffffu);
  }
  EXPECT_EQ(bits(hopper({infinity}, {0}, 0)), 0x7fffffffu);
  EXPECT_EQ(bits(hopper({infinity, -infinity}, {1, 1}, 0)), 0x7fffffffu);
  EXPECT_EQ(bits(hopper({infinity}, {1}, -infinity)), 0x7fffffffu);
}

TEST(SpecialNumbers, Infinity) {
  EXPECT_EQ(hopper({infinity, 3}, {-1, 2}, 5), -infinity);
  EXPECT_EQ(hopper({2}, {3}, infinity), infinity);
  EXPECT_EQ(hopper({0x1p100f}, {0x1p100f}, -0x1p127f), infinity) << "overflow";
  EXPECT_EQ(hopper({0x1p100f, -0x1p100f}, {0x1p100f, 0x1p100f}, 3), 0.0f) << "no overflow inside";
}

TEST(SpecialNumbers, Tf32DropsThePayloadOfANan) {
  const auto product = [](std::uint32_t of) {
    const float x = std::bit_cast<float>(of), one = 1;
    return std::bit_cast<std::uint32_t>(tensor_core_dot(tensor_core("hopper"), {&x, 1}, {&one, 1}, 0, Operand::tf32));
  };
  EXPECT_EQ(product(0x7f800001), 0x7f800000u);  // nothing is left but the exponent: infinity
  EXPECT_EQ(product(0xff801fff), 0xff800000u);
  EXPECT_EQ(product(0x7f802000), 0x7fffffffu);  // a bit that tf32 keeps
}

TEST(SpecialNumbers, ZeroIsPositive) {
  EXPECT_EQ(bits(hopper({-0.0f}, {0.0f}, -0.0f)), 0u);
  EXPECT_EQ(bits(hopper({1, -1}, {1, 1}, -0.0f)), 0u);
}

// -2^-150 is no fp32 number: an H200 gives +0, not -0.
TEST(SpecialNumbers, ZeroThatTruncationMakesIsPositive) {
  for (const float product : {-0x1p-75f, 0x1p-75f}) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(hopper({product}, {0x1p-75f}, 0.0f)), 0u);
    float c = 0.0f;
    const float b = 0x1p-75f;
    tensor_core_product(tensor_core("hopper"), Operand::bf16, 1, 1, 1, {&product, 1, 1}, {&b, 1, 1}, {&c, 1, 1});
    EXPECT_EQ(std::bit_cast<std::uint32_t>(c), 0u);
  }
  EXPECT_EQ(hopper({-0x1p-75f}, {0x1p-74f}, 0.0f), -0x1p-149f) << "the smallest one is kept, with its sign";
}

// A zero accumulator does not align, and the grid ends at 2^(-133-F), not where fp32's own numbers do: bits of an H200.
TEST(SpecialNumbers, VanishingProductsAreAlignedToEachOther) {
  EXPECT_EQ(bits(hopper({130 * 0x1p-79f, 165 * 0x1p-82f}, {-245 * 0x1p-80f, -184 * 0x1p-82f}, 0)), 0x80000020u);
  EXPECT_EQ(bits(hopper({1671 * 0x1p-79f, 1120 * 0x1p-81f}, {2034 * 0x1p-80f, -1874 * 0x1p-81f}, 0, Operand::tf32)),
            0x00000bf6u);
  // Below 2^-133 nothing is aligned to less: of two products of -2^-150 + 2^-159 each, 2^-159 is lost.
  const float a = -0x1p-75f, b = 0x1p-75f, c = 0x1p-79f, d = 0x1p-80f;
  EXPECT_EQ(bits(hopper({a, c, a, c}, {b, d, b, d}, 0)), 0x80000001u);
}

TEST(SpecialNumbers, SubnormalResultsAreKept) {
  EXPECT_EQ(hopper({0x1p-75f}, {0x1p-74f}, 0), 0x1p-149f);
  EXPECT_EQ(hopper({0x1p-75f}, {-0x1p-75f}, 0), 0.0f);
  EXPECT_EQ(hopper({0x1p-75f}, {0x1.8p-73f}, 0x1p-149f), 0x1p-147f);
}

TEST(SpecialNumbers, ZeroFactorsDoNotAlignButSubnormalOnesDo) {
  EXPECT_EQ(hopper({0, 0x1p-40f}, {0x1p127f, 0x1p-40f}, 0), 0x1p-80f);
  // 2^-133 is a bf16 subnormal: it aligns as 2^-126 * 2^127 = 2, and 2^-80 is lost.
  EXPECT_EQ(hopper({0x1p-133f, 0x1p-40f}, {0x1p127f, 0x1p-40f}, 0), 0x1p-6f);
  EXPECT_EQ(hopper({0x1p-133f, 0x1p-16f}, {0x1p120f, 0x1p-16f}, 0), 0x1p-13f);
}

TEST(SpecialNumbers, Tf32FactorsAreTruncated) {
  EXPECT_EQ(hopper({0x1.003ffep0f}, {1}, 0, Operand::tf32), 0x1.0p0f);
  EXPECT_EQ(hopper({-0x1.007ffep0f}, {1}, 0, Operand::tf32), -0x1.004p0f);
}

TEST(TensorCoreDot, RefusesWhatAGenerationDoesNotHave) {
  const std::vector<float> one{1};
  EXPECT_THROW(tensor_core_dot(tensor_core("any"), one, one, 0, Operand::bf16), std::logic_error);
  EXPECT_THROW(tensor_core_dot(tensor_core("volta"), one, one, 0, Operand::tf32), std::logic_error);
  EXPECT_THROW(hopper({1, 2}, {1}, 0), std::logic_error);
  EXPECT_TRUE(std::isinf(accumulation_error(tensor_core("volta"), Operand::tf32, 1)));
  EXPECT_TRUE(std::isinf(accumulation_floor(tensor_core("volta"), Operand::tf32, 1, 1)));
}

}  // namespace
}  // namespace deltaproof
