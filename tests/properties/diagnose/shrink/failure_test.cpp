#include "properties/diagnose/shrink/failure.hpp"

#include <gtest/gtest.h>

namespace deltaproof {
namespace {

Verdict verdict(const std::string& bound, const std::string& reason) {
  Verdict verdict;
  verdict.status = Status::failed;
  verdict.property = std::string("accuracy");
  verdict.bound = bound;
  verdict.reason = reason;
  verdict.has_first_bad = true;
  verdict.first_bad.tensor = std::string("o");
  return verdict;
}

const std::string outside = " of 64 values are further from the right answer than ";

TEST(Failure, NumbersAndPlacesDoNotMatter) {
  const Failure x = failure_of(verdict("LOC", "7" + outside + "LOC allows"));
  EXPECT_TRUE(alike(x, failure_of(verdict("LOC", "1" + outside + "LOC allows")), false));
  Verdict state = verdict("LOC", "7" + outside + "LOC allows");
  state.first_bad.tensor = std::string("final_state");
  EXPECT_FALSE(alike(x, failure_of(state), false));
  Failure in_final = failure_of(state);
  state.first_bad.tensor = std::string("chunk_states");
  EXPECT_TRUE(alike(in_final, failure_of(state), false));
}

TEST(Failure, AnotherReasonStatusOrPropertyIsAnotherFailure) {
  const Failure x = failure_of(verdict("LOC", "7" + outside + "LOC allows"));
  const Verdict not_finite = verdict("LOC", "3 of 64 output values are not finite; the first wrong value is at o");
  EXPECT_FALSE(alike(x, failure_of(not_finite), false));
  Verdict other = verdict("LOC", "7" + outside + "LOC allows");
  other.status = Status::nonconforming;
  EXPECT_FALSE(alike(x, failure_of(other), false));
  other = verdict("LOC", "7" + outside + "LOC allows");
  other.property = std::string("schedules");
  EXPECT_FALSE(alike(x, failure_of(other), false));
}

TEST(Failure, LocAndAdjAreOneBoundOfOneChunkAlone) {
  const Failure loc = failure_of(verdict("LOC", "7" + outside + "LOC allows"));
  const Failure adj = failure_of(verdict("ADJ", "2" + outside + "ADJ allows"));
  EXPECT_FALSE(alike(loc, adj, false));
  EXPECT_TRUE(alike(loc, adj, true));
  const Failure token = failure_of(verdict("ADJ (token recurrence)", "2" + outside + "ADJ (token recurrence) allows"));
  EXPECT_FALSE(alike(loc, token, true));
}

TEST(Failure, PassedAndUninformativeAreNone) {
  for (const Status status : {Status::failed, Status::nonconforming, Status::suspect, Status::error}) {
    EXPECT_TRUE(is_failure(status));
  }
  for (const Status status : {Status::passed, Status::uninformative, Status::skipped}) EXPECT_FALSE(is_failure(status));
}

}  // namespace
}  // namespace deltaproof
