// A run that declares no arithmetic is judged by an assumed one, and the verdict says so.
#include <gtest/gtest.h>

#include "damage.hpp"
#include "recordings.hpp"

namespace deltaproof {
namespace {

class Undeclared : public testing::Test {
 protected:
  CaseFile file_ = recording("gdn_chunk_bf16");
  Problem problem_ = file_.problem.with_arithmetic("generic");
};

TEST_F(Undeclared, PassesAndSaysWhatWasAssumed) {
  const Verdict verdict = judge(problem_, *file_.outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_EQ(verdict.arithmetic, "generic");
  EXPECT_NE(verdict.bound.find("assumed"), std::string::npos) << verdict.bound;
  EXPECT_NE(verdict.bound.find("LOC"), std::string::npos) << verdict.bound;
}

// An assumption that does not hold is no proof that the mathematics is wrong.
TEST_F(Undeclared, IsNonconformingWhenDamaged) {
  const Outputs wrong = damaged(*file_.outputs, "o", Damage::zero_row, {0, 1, 100, 0}, problem_);
  const Verdict verdict = judge(problem_, wrong);
  EXPECT_EQ(verdict.status, Status::nonconforming) << describe(verdict);
  EXPECT_NE(verdict.reason.find("assumed"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find("TF32 merge"), std::string::npos) << verdict.reason;
  EXPECT_EQ(verdict.first_bad.token, 100);
  EXPECT_EQ(verdict.first_bad.head, 1);
}

TEST_F(Undeclared, FailsWhenAValueIsNotFinite) {
  const Outputs wrong = damaged(*file_.outputs, "o", Damage::one_nan, {0, 1, 100, 3}, problem_);
  const Verdict verdict = judge(problem_, wrong);
  EXPECT_EQ(verdict.status, Status::failed) << describe(verdict);
}

TEST_F(Undeclared, IsHeldToAWiderBoundThanTheDeclaredOne) {
  const Verdict assumed = judge(problem_, *file_.outputs);
  const Verdict declared = judge(file_, *file_.outputs);
  EXPECT_LT(assumed.worst_ratio, declared.worst_ratio);
}

}  // namespace
}  // namespace deltaproof
