#include <gtest/gtest.h>

#include <set>

#include "properties/regimes/generator.hpp"

namespace deltaproof {
namespace {

TEST(Generator, RepeatsItself) {
  Generator a(1, {2, 3}), b(1, {2, 3});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.normal(), b.normal());
}

TEST(Generator, StreamsDiffer) {
  std::set<double> first;
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    for (std::uint64_t i = 0; i < 3; ++i) {
      first.insert(Generator(seed, {i}).uniform());
      for (std::uint64_t j = 0; j < 3; ++j) first.insert(Generator(seed, {i, j}).uniform());
    }
  EXPECT_EQ(first.size(), 3U * (3 + 9));
}

TEST(Generator, StaysInItsRange) {
  Generator generator(5, {});
  std::set<int> seen;
  for (int i = 0; i < 1000; ++i) {
    const double u = generator.uniform(-2, 3);
    EXPECT_GE(u, -2);
    EXPECT_LT(u, 3);
    const double n = generator.normal();
    EXPECT_LE(-6, n);
    EXPECT_LE(n, 6);
    seen.insert(generator.integer(-1, 2));
  }
  EXPECT_EQ(seen, (std::set<int>{-1, 0, 1, 2}));
}

}  // namespace
}  // namespace deltaproof
