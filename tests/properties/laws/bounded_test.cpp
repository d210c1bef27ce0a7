// A bound decides: kept, broken, or worth nothing.
#include "properties/laws/bounded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace deltaproof::laws {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Location place(std::int64_t head) {
  Location where{.tensor = "o"};
  where.sequence = 0, where.head = head;
  return where;
}

struct One {
  double value, expected, allowed, wrong = 0;
  std::int64_t head = 0;
};

Verdict verdict_on(const std::vector<One>& values) {
  Verdict verdict;
  verdict.status = Status::passed;
  Bounded bounded(verdict);
  bounded.about("a thing");
  for (const One& one : values) bounded.value(place(one.head), one.value, one.expected, one.allowed, one.wrong);
  bounded.conclude();
  return verdict;
}

TEST(Bounded, PassesWithinTheBoundAndFailsBeyond) {
  EXPECT_EQ(verdict_on({{1.5, 1, 0.5}}).status, Status::passed);
  const Verdict failed = verdict_on({{1, 1, 0.5}, {1.75, 1, 0.5}});
  EXPECT_EQ(failed.status, Status::failed);
  EXPECT_EQ(failed.violations, 1);
  EXPECT_EQ(failed.worst_ratio, 1.5);
  EXPECT_NE(failed.reason.find("a thing: 1.75 is 0.75 from 1"), std::string::npos) << failed.reason;
}

TEST(Bounded, BoundOfZeroIsKeptByEqualityAlone) {
  EXPECT_EQ(verdict_on({{2, 2, 0}}).status, Status::passed);
  EXPECT_EQ(verdict_on({{2, 2 + 0x1p-40, 0}}).status, Status::failed);
  EXPECT_EQ(verdict_on({{-0.0, 0.0, 0}, {1, 1, 0}}).status, Status::passed);
}

TEST(Bounded, ValueThatIsNotFiniteFails) {
  EXPECT_EQ(verdict_on({{NAN, 1, 0.5}}).status, Status::failed);
  EXPECT_EQ(verdict_on({{infinite, 1, 0.5}}).status, Status::failed);
  EXPECT_EQ(verdict_on({{1, NAN, 0.5}}).status, Status::failed) << "the run that it is compared with";
  EXPECT_EQ(verdict_on({{infinite, infinite, 0.5}}).status, Status::failed);
}

TEST(Bounded, InfiniteBoundIsUninformative) {
  const Verdict verdict = verdict_on({{1, 1, 0.5}, {7, 1, infinite}});
  EXPECT_EQ(verdict.status, Status::uninformative);
  EXPECT_NE(verdict.reason.find("1 of 2 values have no finite bound"), std::string::npos) << verdict.reason;
  EXPECT_EQ(verdict_on({{NAN, 1, infinite}}).status, Status::uninformative);
}

TEST(Bounded, BoundThatAcceptsAWrongAnswerThroughoutAHeadIsUninformative) {
  EXPECT_EQ(verdict_on({{1, 1, 2}}).status, Status::uninformative);
  EXPECT_EQ(verdict_on({{1, 1, 2}, {3, 3, 2}}).status, Status::passed) << "zeros are told at one place";
  EXPECT_EQ(verdict_on({{1, 1, 2}, {3, 3, 2, 0, 1}}).status, Status::uninformative) << "which is in another head";
  EXPECT_EQ(verdict_on({{0, 0, 2, 1}}).status, Status::uninformative) << "another wrong answer than zeros";
  EXPECT_EQ(verdict_on({{0, 0, 0.5, 1}}).status, Status::passed);
}

TEST(Bounded, FailureIsOneWhateverElseIsVacuous) {
  EXPECT_EQ(verdict_on({{1, 1, infinite}, {1, 1, 2}, {9, 1, 0.5}}).status, Status::failed);
}

}  // namespace
}  // namespace deltaproof::laws
