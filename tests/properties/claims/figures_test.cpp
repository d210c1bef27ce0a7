#include "properties/claims/figures.hpp"

#include <gtest/gtest.h>

namespace deltaproof::claims {
namespace {

TEST(Printed, StandsForWhatRoundsToIt) {
  const Figure figure = printed("8.50");
  EXPECT_EQ(figure.value, Rational(17, 2));
  EXPECT_EQ(figure.places, 2);
  EXPECT_EQ(figure.text, "8.50");
  EXPECT_EQ(figure.range.low, Rational(8495, 1000));
  EXPECT_EQ(figure.range.high, Rational(8505, 1000));
}

TEST(Printed, ReadsSignsAndLeadingZeros) {
  EXPECT_EQ(printed("-0.41").value, Rational(-41, 100));
  EXPECT_EQ(printed("-0.41").range.low, Rational(-415, 1000));
  EXPECT_EQ(printed("+7.03").value, Rational(703, 100));
  EXPECT_EQ(printed("0.017").value, Rational(17, 1000)) << "no octal";
  EXPECT_EQ(printed("007").value, 7);
  EXPECT_EQ(printed("0").value, 0);
  EXPECT_EQ(printed("0.000001").value, Rational(1, 1000000));
  EXPECT_EQ(printed(".5").value, Rational(1, 2));
  EXPECT_EQ(printed("5.").range.high, Rational(11, 2));
}

TEST(Printed, RefusesWhatIsNoDecimalNumber) {
  for (const char* text : {"", "-", ".", "1.2.3", "1e3", "1,000", "8.5 %", " 8", "--1", "nan", "0x1F"}) {
    EXPECT_THROW(printed(text), std::invalid_argument) << text;
  }
}

TEST(Ranges, HoldEveryResultOfTheirNumbers) {
  const Range a{1, 2}, b{-3, 4};
  EXPECT_EQ((a + b).low, -2);
  EXPECT_EQ((a + b).high, 6);
  EXPECT_EQ((a - b).low, -3);
  EXPECT_EQ((a - b).high, 5);
  EXPECT_EQ((a * b).low, -6);
  EXPECT_EQ((a * b).high, 8);
  EXPECT_EQ((b / a).low, -3);
  EXPECT_EQ((b / a).high, 4);
  EXPECT_EQ((exactly(1) / Range{-4, -2}).low, Rational(-1, 2));
}

TEST(Ranges, RefuseToBeDividedByWhatMayBeZero) {
  EXPECT_THROW((exactly(1) / Range{-1, 1}), std::domain_error);
  EXPECT_THROW((exactly(1) / Range{0, 1}), std::domain_error);
  EXPECT_THROW((exactly(1) / Range{-1, 0}), std::domain_error);
  EXPECT_THROW((exactly(1) / printed("0.00").range), std::domain_error);
}

Result of(const char* result, const char* a, const char* b) {
  const Figure x = printed(a), y = printed(b);
  return follows(printed(result), x.value - y.value, x.range - y.range, "a difference");
}

TEST(Follows, HoldsForWhatThePrintedFiguresGive) { EXPECT_EQ(of("0.41", "8.50", "8.09").outcome, Outcome::holds); }

TEST(Follows, LetsAHalfBeRoundedEitherWay) {
  EXPECT_EQ(of("0.4", "0.45", "0.00").outcome, Outcome::holds);
  EXPECT_EQ(of("0.5", "0.45", "0.00").outcome, Outcome::holds);
  EXPECT_EQ(of("-0.4", "0.00", "0.45").outcome, Outcome::holds);
}

TEST(Follows, IsConditionalWhereUnprintedDigitsDecide) {
  const Result result = of("3.5", "58.4", "54.8");
  EXPECT_EQ(result.outcome, Outcome::conditional);
  EXPECT_FALSE(result.condition.empty());
  EXPECT_TRUE(result.counterexample.has_value());
}

TEST(Follows, RefutesWhatNoDigitsGive) {
  const Result result = of("0.5", "8.50", "8.09");
  EXPECT_EQ(result.outcome, Outcome::refuted);
  ASSERT_TRUE(result.counterexample.has_value());
  EXPECT_NE(result.counterexample->shows.find("0.410"), std::string::npos) << result.counterexample->shows;
}

TEST(PublishedFigures, NameWhatTheyAreAndWhereTheyStand) {
  for (const char* paper : {"kla", "hola"}) {
    for (const std::string& key : figure_keys(paper)) {
      const Figure each = figure(paper, key);
      EXPECT_FALSE(each.what.empty()) << key;
      EXPECT_NE(each.place.find("p"), std::string::npos) << key << ": no page";
      EXPECT_LE(each.range.low, each.value) << key;
      EXPECT_GE(each.range.high, each.value) << key;
    }
  }
  EXPECT_EQ(figure("kla", "ppl.kla").text, "8.09");
}

TEST(PublishedFigures, RefuseUnknownKeysAndPapersByName) {
  EXPECT_THROW(figure("nobody", "x"), std::out_of_range);
  EXPECT_THROW(figure_keys("nobody"), std::out_of_range);
  try {
    figure("kla", "ppl.nobody");
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("ppl.nobody"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace deltaproof::claims
