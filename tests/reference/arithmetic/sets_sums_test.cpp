// Products, merges, scans and scaled sums of sets hold every value that they may give, among random members.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/reference/arithmetic/set_members.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

TEST(Products, HoldEveryResultInEveryType) {
  Random random(4);
  for (const char* model : {"hopper", "ampere", "fp32_rn"}) {
    for (const Format& input : {formats::bf16, formats::f16, formats::f32}) {
      for (const int parts : {1, 2, 4}) {
        for (const auto& [low, high] : {std::pair(-4, 4), {-16, -9}, {-80, -60}}) {
          Declared d = declared();
          d.mma = model;
          for (const Product product : {Product::gram, Product::u}) {
            d[product] = parts;
            const Sets r = sets(d, input);
            const Bits kernel = bits(d, input);
            const Drawn c = draw(random, 6, 5, 2 * low, 2 * high), x = draw(random, 6, 37, low, high),
                        y = draw(random, 37, 5, low, high);
            // Factors as the kernel has rounded them.
            const SetBlock a = r.round(x.set, Point::T), b = r.round(y.set, Point::T);
            const MatrixF a_member = kernel.round(x.member, Point::T), b_member = kernel.round(y.member, Point::T);
            expect_holds(r.mma(c.set, a, b, product), kernel.mma(c.member, a_member, b_member, product),
                         std::string(model) + ", " + std::string(input.name));
          }
        }
      }
    }
  }
}

TEST(Merges, HoldTheirOwnResultsAndNotThoseOfAnotherMode) {
  constexpr Merge modes[] = {Merge::tf32_truncated, Merge::tf32_nearest_even, Merge::tf32_nearest_away, Merge::ieee};
  Random random(5);
  const auto with = [](Merge merge) {
    Declared d = declared();
    d.merge = merge;
    return d;
  };
  const Drawn c = draw(random, 16, 16, -2, 2), a = draw(random, 16, 16, -2, 2), b = draw(random, 16, 16, -2, 2);
  for (const Merge mode : modes) {
    const Declared d = with(mode);
    expect_holds(sets(d).merge(c.set, a.set, b.set), bits(d).merge(c.member, a.member, b.member), "merge");
    // On numbers alone the sets tell the modes apart; the two nearest ones only where there are ties.
    const Sets r = sets(d);
    const auto exact = [&](const MatrixF& m) { return r.given(m.cast<double>()); };
    const SetBlock one = r.merge(exact(c.member), exact(a.member), exact(b.member));
    for (const Merge other : modes) {
      const bool ties = mode != Merge::tf32_truncated && mode != Merge::ieee && other != Merge::tf32_truncated && other != Merge::ieee;
      if (ties) continue;
      const MatrixF values = bits(with(other)).merge(c.member, a.member, b.member);
      bool all = true;
      for (Index i = 0; i < 16; ++i) {
        for (Index j = 0; j < 16; ++j) all = all && holds(one, i, j, values(i, j));
      }
      EXPECT_EQ(all, mode == other);
    }
  }
}

TEST(Scans, HoldEveryOrderAndNotTheSumOfOtherNumbers) {
  Random random(7);
  for (const Scan scan : {Scan::pieces_of_32, Scan::pieces_of_16, Scan::pairs, Scan::kogge_stone, Scan::sklansky, Scan::sequential}) {
    Declared d = declared();
    d.scan = scan;
    for (const Index n : {1, 2, 17, 64, 100}) {
      const Drawn g = draw(random, n, 5, -8, 2);
      const SetBlock sums = sets(d).scan(g.set);
      expect_holds(sums, bits(d).scan(g.member), "scan");
    }
    const Matrix ones = Matrix::Ones(64, 1);
    EXPECT_FALSE(holds(sets(d).scan(sets().given(ones)), 63, 0, 64.001f));
  }
}

TEST(ScaledSums, HoldEveryContraction) {
  Random random(8);
  for (const auto& [low, high] : {std::pair(-4, 4), {-80, -60}, {-149, -140}, {60, 64}}) {
    const Drawn x = draw(random, 20, 20, low, high), y = draw(random, 20, 20, low, high), s = draw(random, 1, 1, low, high);
    const SetBlock set = sets().scaled_sum(x.set, y.set, s.set);
    for (const OutputSum sum : {OutputSum::first_fused, OutputSum::second_fused, OutputSum::unfused}) {
      Declared d = declared();
      d.output_sum = sum;
      expect_holds(set, bits(d).scaled_sum(x.member, y.member, s.member), "scaled sum");
    }
  }
}

}  // namespace
}  // namespace deltaproof
