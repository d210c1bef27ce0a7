// The laws that need no kernel find a wrong gate and a wrong reference.
#include "properties/laws/comparator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "properties/accuracy/accuracy.hpp"
#include "properties/laws/chunk_form.hpp"
#include "tests/properties/laws/small_problems.hpp"

namespace deltaproof {
namespace {

Problem a_problem() { return small_problems(*find_built_in_kernel("recurrent"))[1]; }

Verdict tried(const laws::Gate& gate) {
  Verdict verdict;
  verdict.status = Status::passed;
  laws::try_gate(a_problem(), gate, verdict);
  return verdict;
}

Verdict accuracy(const Problem& problem, const Kernel& kernel) {
  AccuracyOptions options;
  options.conformity = false;
  return check_accuracy(problem, kernel, options);
}

// The gate but for what `passes` lets by.
laws::Gate gate_that_passes(const std::function<bool(const Problem&, const Outputs&)>& passes) {
  return [passes](const Problem& problem, const Kernel& kernel) {
    Verdict verdict = accuracy(problem, kernel);
    if (passes(problem, kernel.run(problem))) verdict.status = Status::passed;
    return verdict;
  };
}

int count_nan(const Outputs& outputs) {
  int count = 0;
  for (const auto& [name, tensor] : outputs.tensors) {
    for (const double x : tensor.values()) count += std::isnan(x) ? 1 : 0;
  }
  return count;
}

TEST(Comparator, PassesTheGate) {
  const Verdict verdict = tried(&accuracy);
  EXPECT_EQ(verdict.status, Status::passed) << verdict.reason;
  EXPECT_GE(verdict.compared, 9);
}

TEST(Comparator, FindsAGateThatLetsDamageBy) {
  const auto by = [](const auto& passes) { return tried(gate_that_passes(passes)); };
  const Verdict nan = by([](const Problem&, const Outputs& outputs) { return count_nan(outputs) == 1; });
  EXPECT_EQ(nan.status, Status::failed);
  EXPECT_NE(nan.reason.find("one NaN"), std::string::npos) << nan.reason;
  const Verdict zeros = by([](const Problem&, const Outputs& outputs) {
    for (const double x : outputs.tensors.at("o").values()) {
      if (x != 0) return false;
    }
    return true;
  });
  EXPECT_EQ(zeros.status, Status::failed);
  EXPECT_NE(zeros.reason.find("zeros"), std::string::npos) << zeros.reason;
}

TEST(Comparator, FindsAGateThatIsPassedByNothing) {
  const Verdict verdict = tried(gate_that_passes([](const Problem& problem, const Outputs&) {
    return problem.sequences()[0].state_row < 0 && problem.sequences().back().state_row < 0;
  }));
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(verdict.reason.find("a comparison of nothing"), 0u) << verdict.reason;
}

TEST(Comparator, FindsAGateThatRejectsTheRightAnswer) {
  const Verdict verdict = tried([](const Problem& problem, const Kernel& kernel) {
    Verdict of = accuracy(problem, kernel);
    of.status = Status::failed;
    return of;
  });
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(verdict.reason.find("the right answer does not pass"), 0u) << verdict.reason;
}

TEST(ChunkForm, FindsRoutesOfOtherInputs) {
  const Problem problem = a_problem();
  const HeadInputs head = head_inputs(problem, problem.sequences()[0], 0);
  HeadInputs other = head;
  other.k(1, 0) = std::nextafter(other.k(1, 0), 2);
  Verdict same, wrong;
  same.status = wrong.status = Status::passed;
  laws::compare_routes(head, head, 4, {}, same);
  EXPECT_EQ(same.status, Status::passed) << same.reason;
  EXPECT_GT(same.compared, 0);
  laws::compare_routes(head, other, 4, {}, wrong);
  EXPECT_EQ(wrong.status, Status::failed);
  EXPECT_NE(wrong.reason.find("exclude each other"), std::string::npos) << wrong.reason;
}

}  // namespace
}  // namespace deltaproof
