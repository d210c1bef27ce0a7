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

TEST(Generator, SteeredGivesTheIntegersItWasGiven) {
  Generator draw = Generator::steered({5, -2, 9});
  EXPECT_EQ(draw.integer(0, 10), 5);
  EXPECT_EQ(draw.integer(-3, 3), -2);
  EXPECT_EQ(draw.integer(9, 9), 9);
}

// One that does not lie in the range is passed over; behind the last it draws as any other.
TEST(Generator, SteeredStaysInItsRange) {
  Generator draw = Generator::steered({7, 2});
  const int first = draw.integer(0, 3);
  EXPECT_GE(first, 0);
  EXPECT_LE(first, 3);
  EXPECT_EQ(draw.integer(0, 3), 2);
  std::set<int> seen;
  for (int i = 0; i < 100; ++i) seen.insert(draw.integer(0, 3));
  EXPECT_EQ(seen, (std::set<int>{0, 1, 2, 3}));
}

TEST(Generator, SteeringLeavesOtherNumbersAlone) {
  Generator plain(0, {}), steered = Generator::steered({1});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(plain.uniform(), steered.uniform());
  EXPECT_EQ(steered.integer(0, 1), 1);
}

}  // namespace
}  // namespace deltaproof
