// Wrong kernels `scores`, and what is said of them.
#include <cmath>

#include "tests/properties/stages/stage_fixture.hpp"

namespace deltaproof {
namespace {

// Scores of one kind on values without extremes.
StageProblem problem_of(CallScore score) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    StageProblem problem = scores_case(3, i);
    const auto& input = std::get<ScoresInput>(problem.input);
    if (input.score == score && problem.name.starts_with("random") && input.shape.HV > 1) return problem;
  }
  throw std::logic_error("no such case");
}

template <class Edit>
Outputs with_scores(const Device& device, const StageProblem& problem, const Edit& edit) {
  Outputs outputs = run_stage(device, problem);
  Tensor& scores = outputs.tensors["scores"];
  for (std::int64_t i = 0; i < scores.size(); ++i) edit(i, elements_of<float>(scores)[i]);
  return outputs;
}

Outputs squared(const Device& device, const StageProblem& problem) {
  return with_scores(device, problem, [](std::int64_t, float& score) { score *= score; });
}

// The last score is wrong in its fifth digit.
Outputs nearly(const Device& device, const StageProblem& problem) {
  return with_scores(device, problem, [](std::int64_t i, float& score) { score *= i == 0 ? 1.0001f : 1.0f; });
}

Outputs with_a_nan(const Device& device, const StageProblem& problem) {
  return with_scores(device, problem, [](std::int64_t i, float& score) { score = i == 1 ? std::nanf("") : score; });
}

// |e| where b |e| is asked for.
Outputs without_the_gate(const Device& device, const StageProblem& problem) {
  return run_edited<ScoresInput>(device, problem, [](ScoresInput& input) {
    for (std::size_t i = 0; i < input.u.size(); ++i) {
      input.u[i] /= static_cast<float>(input.write.value(static_cast<std::int64_t>(i) / input.shape.V));
    }
    input.coefficient = Coefficient::one;
  });
}

Outputs without_the_key(const Device& device, const StageProblem& problem) {
  return run_edited<ScoresInput>(device, problem, [](ScoresInput& input) {
    if (input.score == CallScore::write_norm) input.score = CallScore::beta_e;
  });
}

Outputs key_not_normalised(const Device& device, const StageProblem& problem) {
  return run_edited<ScoresInput>(device, problem, [](ScoresInput& input) { input.normalise_k = !input.normalise_k; });
}

Outputs counted_from_one(const Device& device, const StageProblem& problem) {
  return with_scores(device, problem, [](std::int64_t, float& score) { score += 1; });
}

TEST(StageScores, WrongScoresFail) {
  for (const CallScore score : {CallScore::beta_e, CallScore::write_norm, CallScore::e, CallScore::beta_v}) {
    const StageProblem problem = problem_of(score);
    EXPECT_TRUE(passes(verdict_of("accuracy", problem)));
    EXPECT_TRUE(fails(verdict_of("accuracy", problem, &squared)));
    EXPECT_TRUE(fails(verdict_of("accuracy", problem, &nearly)));
    EXPECT_TRUE(fails(verdict_of("accuracy", problem, &with_a_nan)));
    EXPECT_TRUE(fails(verdict_of("accuracy", problem, &without_the_gate)));
  }
  EXPECT_TRUE(fails(verdict_of("accuracy", problem_of(CallScore::write_norm), &without_the_key)));
  EXPECT_TRUE(fails(verdict_of("accuracy", problem_of(CallScore::write_norm), &key_not_normalised)));
  const StageProblem recency = problem_of(CallScore::recency);
  EXPECT_TRUE(passes(verdict_of("accuracy", recency)));
  EXPECT_TRUE(fails(verdict_of("accuracy", recency, &counted_from_one)));
}

TEST(StageScores, FailureSaysWhere) {
  const Verdict verdict = verdict_of("accuracy", problem_of(CallScore::e), &nearly);
  EXPECT_EQ(verdict.violations, 1);
  EXPECT_EQ(to_string(verdict.first_bad), "scores: sequence 0, token 0, head 0");
  EXPECT_EQ(verdict.kernel, "scores");
  EXPECT_NE(verdict.ran.launch, "");
  EXPECT_NE(verdict.outputs_hash, "");
}

TEST(StageScores, SquaresThatOverflowProveNothing) {
  StageProblem problem = problem_of(CallScore::beta_e);
  std::get<ScoresInput>(problem.input).u[0] = 1e30f;
  const Verdict verdict = verdict_of("accuracy", problem);
  EXPECT_EQ(verdict.status, Status::uninformative);
  EXPECT_NE(verdict.reason.find("leave fp32"), std::string::npos) << verdict.reason;
}

TEST(StageScores, SquaresThatAllUnderflowProveNothing) {
  StageProblem problem = problem_of(CallScore::beta_e);
  for (float& u : std::get<ScoresInput>(problem.input).u) u *= 1e-30f;
  const Verdict verdict = verdict_of("accuracy", problem);
  EXPECT_EQ(verdict.status, Status::uninformative);
  EXPECT_NE(verdict.reason.find("zeros"), std::string::npos) << verdict.reason;
}

}  // namespace
}  // namespace deltaproof
