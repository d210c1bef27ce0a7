// Theorems 1 to 3 of docs/tensor-core.md: the bound holds, and a quarter of it does not.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "reference/tensor_core.hpp"

namespace deltaproof {
namespace {

// Exact for sums of products of fp32 numbers: exponents from -298 to 256, and room for carries.
using Exact = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<700, boost::multiprecision::digit_base_2>>;

struct Sum {
  std::vector<float> a, b;
  float c = 0;
  Operand operand = Operand::bf16;
};

struct Judged {
  Exact error, relative_part, floor;
  bool holds() const { return error <= relative_part + floor; }
};

Judged judge(const TensorCoreModel& model, const TensorCoreModel& bound, const Sum& sum) {
  Exact exact = sum.c, size = abs(Exact(sum.c));
  double largest = 0;
  for (std::size_t i = 0; i < sum.a.size(); ++i) {
    const Exact product = Exact(sum.a[i]) * Exact(sum.b[i]);
    exact += product;
    size += abs(product);
    largest = std::max({largest, std::abs(double{sum.a[i]}), std::abs(double{sum.b[i]})});
  }
  const auto n = static_cast<std::int64_t>(sum.a.size());
  const float computed = tensor_core_dot(model, sum.a, sum.b, sum.c, sum.operand);
  return {abs(Exact(computed) - exact), accumulation_error(bound, sum.operand, n) * size,
          accumulation_floor(bound, sum.operand, n, largest)};
}

int fraction_bits(Operand operand) { return operand == Operand::bf16 ? 7 : 10; }

/// A number of the operand's type with an exponent in [low, high], subnormal where that is too low.
float factor(std::mt19937_64& random, Operand operand, int low, int high) {
  const int bits = fraction_bits(operand);
  const int least = operand == Operand::f16 ? -14 : -126;
  const int exponent = std::uniform_int_distribution(low, high)(random);
  const auto significand = (std::int64_t{1} << bits) +
                           std::uniform_int_distribution<std::int64_t>(0, (1 << bits) - 1)(random);
  const int unit = std::max(exponent, least) - bits;
  const auto kept = exponent < least ? significand >> std::min(least - exponent, 30) : significand;
  return static_cast<float>(std::ldexp((random() & 1) != 0 ? -double(kept) : double(kept), unit));
}

Sum random_sum(std::uint64_t seed, Operand operand) {
  std::mt19937_64 random(seed);
  Sum sum;
  sum.operand = operand;
  const int widest = operand == Operand::f16 ? 14 : 60;
  const int spread = std::uniform_int_distribution(0, widest)(random);
  const int centre = operand == Operand::f16
                         ? std::uniform_int_distribution(-24, 15 - spread)(random)
                         : std::uniform_int_distribution(-135, 62 - spread)(random);
  const auto n = std::uniform_int_distribution<std::size_t>(1, 70)(random);
  for (std::size_t i = 0; i < n; ++i) {
    sum.a.push_back(factor(random, operand, centre, centre + spread));
    // Partners that bring the products into range, and sometimes far from each other.
    const int partner = std::min(operand == Operand::f16 ? 15 : 62, -centre / 2);
    sum.b.push_back(factor(random, operand, std::min(partner, 15) - spread, std::min(partner, 15)));
  }
  std::uniform_real_distribution<double> uniform(-1, 1);
  sum.c = static_cast<float>(std::ldexp(uniform(random), centre / 2 + spread));
  return sum;
}

/// c = 1, and in each pass products that lose nearly a whole unit 2^-F each; the first one is 3
/// units, so that the result also loses what fp32 cannot hold.
Sum adversarial_sum(const TensorCoreModel& model, Operand operand, int passes) {
  const int depth = model.depth(operand);
  const int bits = fraction_bits(operand);
  Sum sum;
  sum.c = 1;
  sum.operand = operand;
  const auto below_one = static_cast<float>(1 - std::ldexp(1.0, -bits - 1));
  const int F = model.accumulation == Accumulation::aligned ? model.fraction_bits : 24;
  for (int i = 0; i < passes * depth; ++i) {
    const bool first = i % depth == 0 && F == 25;
    sum.a.push_back(std::ldexp(first ? 1.5f : below_one, -12));
    sum.b.push_back(std::ldexp(1.0f, (first ? 1 : 0) + 12 - F));
  }
  return sum;
}

using Case = std::tuple<std::string, Operand>;

class Bound : public testing::TestWithParam<Case> {
 protected:
  const TensorCoreModel& model() const { return tensor_core(std::get<0>(GetParam())); }
  Operand operand() const { return std::get<1>(GetParam()); }
};

TEST_P(Bound, HoldsForRandomSums) {
  EXPECT_TRUE(rc::check([this](std::uint64_t seed) {
    for (std::uint64_t i = 0; i < 50; ++i) {
      const Sum sum = random_sum(seed + i, operand());
      RC_ASSERT(judge(model(), model(), sum).holds());
      if (model().name != "volta") RC_ASSERT(judge(model(), tensor_core("any"), sum).holds());
    }
  }));
}

TEST_P(Bound, HoldsForAdversarialSumsWhereAQuarterDoesNot) {
  for (const int passes : {1, 2, 7, 64}) {
    const Judged judged = judge(model(), model(), adversarial_sum(model(), operand(), passes));
    EXPECT_TRUE(judged.holds()) << passes;
    EXPECT_GT(judged.error, (judged.relative_part + judged.floor) / 4) << passes;
  }
}

TEST_P(Bound, GrowsWithLength) {
  double previous = 0;
  for (const std::int64_t n : {1, 16, 17, 128, 4096}) {
    EXPECT_GE(accumulation_error(model(), operand(), n), previous);
    EXPECT_GE(accumulation_floor(model(), operand(), n, 2),
              accumulation_floor(model(), operand(), n, 1));
    previous = accumulation_error(model(), operand(), n);
  }
  EXPECT_EQ(accumulation_error(model(), operand(), 0), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Models, Bound,
    testing::Values(Case{"hopper", Operand::bf16}, Case{"hopper", Operand::f16},
                    Case{"hopper", Operand::tf32}, Case{"blackwell", Operand::bf16},
                    Case{"ada", Operand::bf16}, Case{"ampere", Operand::f16},
                    Case{"ampere", Operand::tf32}, Case{"volta", Operand::f16},
                    Case{"fp32_rn", Operand::bf16}, Case{"fp32_rn", Operand::tf32}),
    [](const auto& test) {
      return std::get<0>(test.param) + "_" + std::string(operand_name(std::get<1>(test.param)));
    });

TEST(AnyBound, IsTheLargestSinceAmpere) {
  const TensorCoreModel& any = tensor_core("any");
  for (const std::int64_t n : {1, 8, 16, 64, 128, 1 << 20}) {
    for (const char* name : {"hopper", "blackwell", "ada", "ampere", "fp32_rn"}) {
      EXPECT_GE(accumulation_error(any, Operand::bf16, n),
                accumulation_error(tensor_core(name), Operand::bf16, n));
    }
  }
  // Ampere's 11 units of 2^-24 for each 8 products decide at the lengths of kernels.
  EXPECT_EQ(accumulation_error(any, Operand::bf16, 128), 16 * 11 * 0x1p-24);
  EXPECT_TRUE(std::isinf(accumulation_error(any, Operand::bf16, 1 << 24))) << "n u >= 1";
}

// Why the floor knows the largest factor: without it subnormal factors break the bound.
TEST(Floor, CoversSubnormalFactors) {
  Sum sum;
  sum.operand = Operand::f16;
  sum.a = {0x1p-24f};  // the smallest f16 number aligns as 2^-14
  sum.b = {0x1p15f};
  for (int i = 0; i < 15; ++i) {
    sum.a.push_back(0x1.ffcp-13f);  // each product is just below 2^(-14 + 15 - 25)
    sum.b.push_back(0x1p-12f);
  }
  const Judged judged = judge(tensor_core("hopper"), tensor_core("hopper"), sum);
  EXPECT_GT(judged.error, judged.relative_part);
  EXPECT_TRUE(judged.holds());
}

}  // namespace
}  // namespace deltaproof
