// The search for counterexamples: on statements about numbers whose truth is plain.
#include "properties/claims/hola_search.hpp"

#include <gtest/gtest.h>

namespace deltaproof::claims {

/// An instance of the statements below.
struct Whole {
  int value;
};
std::vector<Named> inputs_of(const Whole& whole) { return {{"x", std::to_string(whole.value)}}; }

namespace {

using Statement = Universal<Whole>;

const std::vector<Whole> wholes{{0}, {1}, {2}, {3}};

/// x^2 <= x.
Statement square_at_most_itself() {
  return {{"x^2", [](const Whole& whole) { return number(whole.value * whole.value); }},
          Relation::at_most,
          {"x", [](const Whole& whole) { return number(whole.value); }},
          {},
          {},
          "Why."};
}

TEST(HolaSearch, FindsTheFirstCounterexample) {
  const Result result = decide(square_at_most_itself(), wholes);
  EXPECT_EQ(result.outcome, Outcome::refuted);
  ASSERT_TRUE(result.counterexample);
  EXPECT_EQ(result.counterexample->inputs.at(0).value, "2");
  EXPECT_NE(result.counterexample->shows.find("x^2 = 4"), std::string::npos);
  EXPECT_EQ(result.cases, 4);
}

TEST(HolaSearch, CountsOnlyWhatMeetsThePremise) {
  Statement statement = square_at_most_itself();
  statement.premise = {"x <= 1", [](const Whole& whole) { return whole.value <= 1; }};
  const Result result = decide(statement, wholes);
  EXPECT_EQ(result.outcome, Outcome::holds);
  EXPECT_EQ(result.cases, 2);
  EXPECT_FALSE(result.counterexample);
}

TEST(HolaSearch, HoldsUnderAConditionOnlyIfThereItDoes) {
  Statement statement = square_at_most_itself();
  statement.condition = {"x <= 1", [](const Whole& whole) { return whole.value <= 1; }};
  const Result conditional = decide(statement, wholes);
  EXPECT_EQ(conditional.outcome, Outcome::conditional);
  EXPECT_EQ(conditional.condition, "x <= 1");
  EXPECT_TRUE(conditional.counterexample);
  statement.condition = {"x <= 2", [](const Whole& whole) { return whole.value <= 2; }};
  EXPECT_EQ(decide(statement, wholes).outcome, Outcome::refuted);
}

TEST(HolaSearch, AConditionThatNothingMeetsSavesNothing) {
  Statement statement = square_at_most_itself();
  statement.condition = {"x > 9", [](const Whole& whole) { return whole.value > 9; }};
  EXPECT_EQ(decide(statement, wholes).outcome, Outcome::refuted);
}

TEST(HolaSearch, APremiseThatNothingMeetsIsABug) {
  Statement statement = square_at_most_itself();
  statement.premise = {"x > 9", [](const Whole& whole) { return whole.value > 9; }};
  EXPECT_THROW(decide(statement, wholes), std::logic_error);
}

TEST(HolaSearch, EqualityIsOfEveryElementAndOfTheShape) {
  const RationalMatrix one = row({1}), pair = row({1, 2}), other = row({1, 3});
  EXPECT_TRUE(related(pair, Relation::equal, pair));
  EXPECT_FALSE(related(pair, Relation::equal, other));
  EXPECT_FALSE(related(one, Relation::equal, pair));
  EXPECT_TRUE(related(pair, Relation::at_most, other));
  EXPECT_FALSE(related(other, Relation::at_most, pair));
  EXPECT_THROW(related(one, Relation::at_most, pair), std::invalid_argument);
}

TEST(HolaSearch, UnitVectorsHaveNormOne) {
  RationalDraw draw(1);
  for (std::size_t n = 1; n <= 5; ++n) EXPECT_EQ(squared_norm(unit_vector(draw, n)), 1);
}

}  // namespace
}  // namespace deltaproof::claims
