#include "properties/diagnose/hunt/objective.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "properties/defects/defect_kernel.hpp"
#include "properties/diagnose/hunt/candidate.hpp"
#include "properties/diagnose/hunt/evaluation.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof {
namespace {

Problem drawn(const std::string& more = "") {
  return problem_of(parse_spec("regime=typical T=20 K=8 V=8 H=2 HV=2 rule=gated_delta chunk_size=16 state=1 " + more));
}

Outputs right_run(const Problem& problem) { return DefectKernel(nullptr, "chunk").run(problem); }

TEST(RelativeError, IsThatOfTheWorstHead) {
  const Problem problem = drawn();
  Outputs outputs = right_run(problem);
  const std::optional<double> right = relative_error(problem, outputs);
  ASSERT_TRUE(right);
  EXPECT_GT(*right, 0x1p-11);  // more than rounding o alone is not avoided
  EXPECT_LT(*right, 0x1p-5);
  // Zeros in one head of two: all of its norm is missing.
  Tensor& o = outputs.tensors["o"];
  std::vector<double> values = o.values();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= static_cast<double>(i / 8 % 2);
  o = Tensor::from(o.dtype, o.shape, values);
  EXPECT_NEAR(relative_error(problem, outputs).value(), 1, 1e-12);
}

TEST(RelativeError, DoesNotDependOnTheScaleOfValues) {
  const Problem problem = drawn();
  TensorMap tensors = problem.tensors();
  for (const char* name : {"v", "initial_state"}) tensors[name] = laws::scaled(tensors[name], 9);
  const Problem scaled = problem.with_inputs(tensors);
  EXPECT_DOUBLE_EQ(relative_error(problem, right_run(problem)).value(), relative_error(scaled, right_run(scaled)).value());
}

TEST(RelativeError, IsNotThatOfUnderflow) {
  const Problem problem = drawn();
  TensorMap tensors = problem.tensors();
  for (const char* name : {"v", "initial_state"}) tensors[name] = laws::scaled(tensors[name], -126);
  const Problem tiny = problem.with_inputs(tensors);
  EXPECT_FALSE(relative_error(tiny, right_run(tiny)));
  const Problem none = problem.with_inputs([&] {
    TensorMap zeros = problem.tensors();
    for (const char* name : {"v", "initial_state"}) zeros[name] = laws::filled(zeros[name], 0);
    return zeros;
  }());
  EXPECT_FALSE(relative_error(none, right_run(none)));
}

TEST(RelativeError, IsNotMeasuredWhereARunIsNotFinite) {
  const Problem problem = drawn();
  Outputs outputs = right_run(problem);
  laws::set_value(outputs.tensors["o"], 3, std::nan(""));
  const std::optional<double> other_head = relative_error(problem, outputs);
  ASSERT_TRUE(other_head);
  laws::set_value(outputs.tensors["o"], 11, std::nan(""));
  EXPECT_FALSE(relative_error(problem, outputs));
}

TEST(Evaluation, HasAValueOfEachObjective) {
  const Candidate candidate{parse_spec("regime=typical T=20 K=8 V=8 rule=gated_delta chunk_size=16"), {}};
  const Evaluation result = evaluate(candidate, DefectKernel(nullptr, "chunk"));
  EXPECT_EQ(result.status, Status::passed) << result.reason;
  for (const std::optional<double>& value : result.values) {
    ASSERT_TRUE(value);
    EXPECT_GT(*value, 0);
  }
}

TEST(Evaluation, WhatIsNoProblemOrRefusedIsSkippedWithTheReason) {
  Candidate candidate{parse_spec("regime=typical T=4 K=12 V=8 rule=gated_delta chunk_size=16"), {}};
  EXPECT_NE(evaluate(candidate, DefectKernel(nullptr, "chunk")).reason.find("K = 12"), std::string::npos);
  candidate.spec.regime = "tame";
  const Evaluation result = evaluate(candidate, DefectKernel(nullptr, "chunk"));
  EXPECT_EQ(result.status, Status::skipped);
  EXPECT_NE(result.reason.find("tame"), std::string::npos);
  EXPECT_FALSE(result.is_finding());
}

}  // namespace
}  // namespace deltaproof
