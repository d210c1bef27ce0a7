// The published rules: each on both sides of its threshold, what they say of NaN and of nothing, and of which values
// of a run they are about.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "strong_decay.hpp"

namespace deltaproof {
namespace {

using enum PublishedRule;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double above(double x) { return std::nextafter(x, infinity); }

// `offset` from 0 without a baseline.
JudgedValues from_zero(double offset) { return {{offset}, {0.0}, {0.0}}; }

TEST(PublishedRule, RmsIsBelow0005) {
  const double r = 2e10;  // beside which 1e-8 is nothing: 1e8 is 0.005 of it
  EXPECT_FALSE(accepts(rms, {{r + 1e8}, {r}, {r}}));
  EXPECT_TRUE(accepts(rms, {{r + 1e8 - 1}, {r}, {r}}));
}

TEST(PublishedRule, RmsAcceptsDifferencesUpTo1e6WhateverTheirRatio) {
  EXPECT_TRUE(accepts(rms, from_zero(1e-6)));
  EXPECT_FALSE(accepts(rms, from_zero(above(1e-6))));
}

TEST(PublishedRule, TheLooseRmsIsBelow001OrNoDifferenceIsAbove03) {
  const double r = 2e10;
  EXPECT_FALSE(accepts(rms_loose, {{r + 2e8}, {r}, {r}}));
  EXPECT_TRUE(accepts(rms_loose, {{r + 2e8 - 1}, {r}, {r}}));
  EXPECT_TRUE(accepts(rms_loose, from_zero(0.3)));
  EXPECT_FALSE(accepts(rms_loose, from_zero(above(0.3))));
}

// The squares of the runs' values add up to 1e7 and 1e7 - 1, to 2000 and 1999; that of the only difference is 1.
TEST(PublishedRule, NmseIsNotAboveItsLimit) {
  EXPECT_TRUE(accepts(nmse_1e_7, {{1000, 3000}, {1001, 3000}, {}}));
  EXPECT_FALSE(accepts(nmse_1e_7, {{3162, 41, 7, 5}, {3163, 41, 7, 5}, {}}));
  EXPECT_TRUE(accepts(nmse_5e_4, {{40, 20}, {40, 21}, {}}));
  EXPECT_FALSE(accepts(nmse_5e_4, {{44, 7, 3, 2, 1}, {44, 7, 3, 2, 2}, {}}));
}

TEST(PublishedRule, NmseIsRelativeToTheRunUnderTest) {
  EXPECT_TRUE(accepts(nmse_5e_4, {{1.0}, {1 - 0.02236}, {}}));   // 0.02236^2 < 5e-4
  EXPECT_FALSE(accepts(nmse_5e_4, {{1 - 0.02236}, {1.0}, {}}));  // over a smaller square
}

TEST(PublishedRule, NmseAcceptsZerosOfZerosAlone) {
  EXPECT_TRUE(accepts(nmse_1e_7, {{0.0}, {0.0}, {}}));
  EXPECT_FALSE(accepts(nmse_5e_4, {{0.0}, {1e-22}, {}}));
}

// 2^-150 is half of the smallest float and rounds to the even neighbour, 0.
TEST(PublishedRule, NmseSquaresInFloat) {
  EXPECT_TRUE(accepts(nmse_1e_7, {{0.0}, {0x1p-75}, {}}));
  EXPECT_FALSE(accepts(nmse_1e_7, {{0.0}, {0x1.000002p-75}, {}}));
  EXPECT_FALSE(accepts(nmse_5e_4, {{0.0, 0.0}, {0x1p-75, -0x1.000002p-75}, {}}));
}

TEST(PublishedRule, ClosenessAddsAPartOfTheReference) {
  EXPECT_TRUE(accepts(close_1e_2, from_zero(1e-2)));
  EXPECT_FALSE(accepts(close_1e_2, from_zero(above(1e-2))));
  EXPECT_TRUE(accepts(close_2e_2, from_zero(2e-2)));
  EXPECT_FALSE(accepts(close_2e_2, from_zero(above(2e-2))));
  EXPECT_TRUE(accepts(close_1e_2, {{1.0199}, {1.0}, {}}));
  EXPECT_FALSE(accepts(close_1e_2, {{1.0201}, {1.0}, {}}));
  EXPECT_FALSE(accepts(close_1e_2, {{1.0, 1.0201}, {1.0, 1.0}, {}}));  // every value counts
}

TEST(PublishedRule, DefaultClosenessFollowsTheTypeOfTheInputs) {
  const auto accepted = [](Dtype input, double x) { return accepts(close_default, {{1 + x}, {1.0}, {}, input}); };
  EXPECT_TRUE(accepted(Dtype::bf16, 0.01600));
  EXPECT_FALSE(accepted(Dtype::bf16, 0.01602));
  EXPECT_TRUE(accepted(Dtype::f16, 0.00100));
  EXPECT_FALSE(accepted(Dtype::f16, 0.00102));
  EXPECT_TRUE(accepted(Dtype::f32, 1.12e-5));
  EXPECT_FALSE(accepted(Dtype::f32, 1.14e-5));
}

TEST(PublishedRule, ClosenessTakesEqualInfinitiesForClose) {
  EXPECT_TRUE(accepts(close_default, {{infinity}, {infinity}, {}}));
  EXPECT_FALSE(accepts(close_default, {{-infinity}, {infinity}, {}}));
  EXPECT_FALSE(accepts(close_default, {{1.0}, {infinity}, {}}));
}

TEST(PublishedRule, TwiceTheBaselineIsTheLargestDifferenceOfAll) {
  const double allowed = 2 * 0.5 + 1e-5;
  EXPECT_TRUE(accepts(twice_baseline, {{0, allowed}, {0, 0}, {0.5, 0}}));
  EXPECT_FALSE(accepts(twice_baseline, {{0, above(allowed)}, {0, 0}, {0.5, 0}}));
  EXPECT_TRUE(accepts(twice_baseline, {{1e-5}, {0}, {0}}));
  EXPECT_FALSE(accepts(twice_baseline, {{above(1e-5)}, {0}, {0}}));
}

TEST(PublishedRule, EachRejectsNaN) {
  for (const PublishedRuleInfo& info : published_rules()) {
    EXPECT_TRUE(accepts(info.rule, {{1.0, 2.0}, {1.0, 2.0}, {1.0, 2.0}})) << info.name;
    EXPECT_FALSE(accepts(info.rule, {{1.0, nan}, {1.0, 2.0}, {1.0, 2.0}})) << info.name;
    EXPECT_FALSE(accepts(info.rule, {{nan, 2.0}, {1.0, 2.0}, {1.0, 2.0}})) << info.name;
    EXPECT_FALSE(accepts(info.rule, {{1.0, infinity}, {1.0, 2.0}, {1.0, 2.0}})) << info.name;
  }
  EXPECT_FALSE(accepts(twice_baseline, {{1.0}, {1.0}, {nan}}));
}

TEST(PublishedRule, OfNothingAllAreTrueButTheMeanAndTheLargestOfNothing) {
  for (const PublishedRuleInfo& info : published_rules()) {
    EXPECT_EQ(accepts(info.rule, {}), info.rule != rms && info.rule != rms_loose) << info.name;
  }
}

TEST(PublishedRule, TableHasEachRuleInOrderWithAName) {
  int number = 0;
  for (const PublishedRuleInfo& info : published_rules()) {
    EXPECT_EQ(static_cast<int>(info.rule), number++);
    EXPECT_FALSE(info.name.empty() || info.form.empty() || info.used_by.empty() || info.nan.empty()) << info.name;
  }
  EXPECT_EQ(number, static_cast<int>(twice_baseline) + 1);
}

}  // namespace
}  // namespace deltaproof
