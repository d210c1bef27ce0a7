// The product of matrices has the bits of one dot product for each of its elements.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "reference/tensor_core.hpp"

namespace deltaproof {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

struct Sizes {
  std::int64_t m, n, k;
};

/// Matrices with gaps between their rows; what lies in a gap belongs to nobody.
struct Product {
  Sizes size;
  Operand operand = Operand::bf16;
  std::vector<float> a, b, c;

  explicit Product(Sizes sizes) : size(sizes) {
    a.resize(size.m * (size.k + 3));
    b.resize(size.k * (size.n + 1));
    c.resize(size.m * (size.n + 2));
  }
  float& a_at(std::int64_t i, std::int64_t l) { return a[i * (size.k + 3) + l]; }
  float& b_at(std::int64_t l, std::int64_t j) { return b[l * (size.n + 1) + j]; }

  std::vector<float> by_product(const TensorCoreModel& model) const {
    std::vector<float> result = c;
    tensor_core_product(model, operand, size.m, size.n, size.k, {a.data(), size.k + 3},
                        {b.data(), size.n + 1}, {result.data(), size.n + 2});
    return result;
  }

  std::vector<float> by_dots(const TensorCoreModel& model) {
    std::vector<float> result = c, row(size.k), column(size.k);
    for (std::int64_t i = 0; i < size.m; ++i) {
      for (std::int64_t j = 0; j < size.n; ++j) {
        for (std::int64_t l = 0; l < size.k; ++l) {
          row[l] = a_at(i, l);
          column[l] = b_at(l, j);
        }
        float& element = result[i * (size.n + 2) + j];
        element = tensor_core_dot(model, row, column, element, operand);
      }
    }
    return result;
  }
};

/// How many elements differ in any bit.
std::size_t unequal(const std::vector<float>& x, const std::vector<float>& y) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += bits(x[i]) != bits(y[i]);
  return x.size() == y.size() ? count : x.size() + y.size();
}

enum class Regime { ordinary, wide, edges };

/// x as a number of the operand's type; tf32 keeps low bits, which the hardware cuts.
float in_type(double x, Operand operand) {
  const auto value = static_cast<float>(x);
  if (operand == Operand::tf32 || !std::isfinite(value)) return value;
  if (operand == Operand::bf16) return std::bit_cast<float>(bits(value) & 0xffff0000u);
  if (std::abs(value) >= 0x1p16f) return std::copysign(0x1.ffcp15f, value);
  const int unit = std::max(std::abs(value) > 0 ? std::ilogb(value) : -14, -14) - 10;
  return std::ldexp(std::trunc(std::ldexp(value, -unit)), unit);
}

float element(std::mt19937_64& random, Regime regime, Operand operand) {
  const double significand = std::uniform_real_distribution(-2.0, 2.0)(random);
  const bool narrow = operand == Operand::f16;
  const auto exponent = [&](int low, int high) {
    return std::uniform_int_distribution(low, high)(random);
  };
  if (regime == Regime::ordinary) return in_type(significand, operand);
  if (regime == Regime::wide) {
    return in_type(std::ldexp(significand, narrow ? exponent(-24, 14) : exponent(-30, 30)),
                   operand);
  }
  switch (random() % 24) {
    case 0:
      return random() % 8 == 0 ? infinity : 1.0f;
    case 1:
      return random() % 8 == 0 ? -infinity : -1.0f;
    case 2:
      return random() % 8 == 0 ? std::bit_cast<float>(0xffc10000u) : 3.0f;
    case 3:
    case 4:
      return 0.0f;
    case 5:
      return -0.0f;
    case 6:
      return in_type(std::ldexp(significand, narrow ? -18 : -129), operand);  // subnormal
    default:
      return in_type(std::ldexp(significand, narrow ? exponent(-24, 15) : exponent(-132, 126)),
                     operand);
  }
}

Product random_product(std::mt19937_64& random, Regime regime, Operand operand) {
  const auto size = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  Product product({size(20), size(20), size(70)});
  product.operand = operand;
  for (float& x : product.a) x = element(random, regime, operand);
  for (float& x : product.b) x = element(random, regime, operand);
  for (float& x : product.c) x = element(random, regime, Operand::tf32);
  return product;
}

using Case = std::tuple<std::string, Operand, Regime>;

class TensorCoreProduct : public testing::TestWithParam<Case> {};

TEST_P(TensorCoreProduct, HasTheBitsOfTheDotProducts) {
  const auto& [name, operand, regime] = GetParam();
  const TensorCoreModel& model = tensor_core(name);
  EXPECT_TRUE(rc::check([&, op = operand, kind = regime](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Product product = random_product(random, kind, op);
    RC_ASSERT(unequal(product.by_product(model), product.by_dots(model)) == 0u);
  }));
}

std::string regime_name(Regime regime) {
  if (regime == Regime::ordinary) return "ordinary";
  return regime == Regime::wide ? "wide" : "edges";
}

std::vector<Case> every_case() {
  std::vector<Case> cases;
  for (const TensorCoreModel& model : tensor_core_table()) {
    for (const Operand operand : {Operand::bf16, Operand::f16, Operand::tf32}) {
      if (model.depth(operand) == 0) continue;
      for (const Regime regime : {Regime::ordinary, Regime::wide, Regime::edges}) {
        cases.emplace_back(model.name, operand, regime);
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Models, TensorCoreProduct, testing::ValuesIn(every_case()),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" +
                                  std::string(operand_name(std::get<1>(test.param))) + "_" +
                                  regime_name(std::get<2>(test.param));
                         });

// The largest sum of a pass needs 33 bits with its sign: 16 products of nearly 4, and nearly 2.
TEST(TensorCoreProductEdges, LargestSumOfAPass) {
  for (const float sign : {1.0f, -1.0f}) {
    Product product({9, 9, 16});
    product.operand = Operand::f16;
    product.a.assign(product.a.size(), sign * 0x1.ffcp0f);
    product.b.assign(product.b.size(), 0x1.ffcp0f);
    product.c.assign(product.c.size(), sign * 0x1.fffffep0f);
    const std::vector<float> computed = product.by_product(tensor_core("hopper"));
    EXPECT_EQ(unequal(computed, product.by_dots(tensor_core("hopper"))), 0u);
    EXPECT_GT(std::abs(computed[0]), 64.0f);
  }
}

TEST(TensorCoreProductEdges, TakesTransposedMatrices) {
  std::mt19937_64 random(1);
  const Product product = random_product(random, Regime::wide, Operand::bf16);
  const auto [m, n, k] = product.size;
  std::vector<float> transposed(n * m);  // C' = B' A'
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) transposed[j * m + i] = product.c[i * (n + 2) + j];
  }
  const StridedMatrix<const float> a{product.a.data(), k + 3}, b{product.b.data(), n + 1};
  tensor_core_product(tensor_core("hopper"), Operand::bf16, n, m, k, b.transposed(), a.transposed(),
                      {transposed.data(), m});
  const std::vector<float> expected = product.by_product(tensor_core("hopper"));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      EXPECT_EQ(bits(transposed[j * m + i]), bits(expected[i * (n + 2) + j]));
    }
  }
}

TEST(TensorCoreProductEdges, NothingToAddLeavesTheAccumulators) {
  Product product({3, 9, 0});
  product.c.assign(product.c.size(), 0.1f);
  EXPECT_EQ(unequal(product.by_product(tensor_core("hopper")), product.c), 0u);
  EXPECT_EQ(Product({0, 9, 4}).by_product(tensor_core("hopper")).size(), 0u);
  EXPECT_EQ(unequal(Product({9, 0, 4}).by_product(tensor_core("fp32_rn")), std::vector<float>(18)),
            0u);
}

TEST(TensorCoreProductEdges, RefusesWhatAGenerationDoesNotHave) {
  Product product({2, 2, 2});
  EXPECT_THROW(product.by_product(tensor_core("any")), std::logic_error);
  product.operand = Operand::tf32;
  EXPECT_THROW(product.by_product(tensor_core("volta")), std::logic_error);
}

// The comparison itself: another model's product is not the dot products of this one.
TEST(TensorCoreProductEdges, AnotherModelIsToldApart) {
  std::mt19937_64 random(2);
  std::size_t differ = 0;
  for (int i = 0; i < 20; ++i) {
    Product product = random_product(random, Regime::ordinary, Operand::bf16);
    differ += unequal(product.by_product(tensor_core("hopper")),
                      product.by_dots(tensor_core("ampere"))) != 0;
  }
  EXPECT_GT(differ, 10u);
}

}  // namespace
}  // namespace deltaproof
