#include <utility>

#include "properties/stages/stage_head.hpp"
#include "properties/stages/stage_judge.hpp"
#include "properties/stages/stage_properties.hpp"
#include "reference/bounds/score_bound.hpp"
#include "reference/oracle/hola_scores.hpp"

namespace deltaproof {
namespace {

// The score of what is handed in: b e, or e, is exact.
void judge_head(const ScoresInput& input, const StageSequence& sequence, std::int64_t head, const Tensor& scores,
                StageJudge& judge) {
  const HeadInputs inputs = head_of(input, sequence, head);
  const Matrix written = written_of(input, sequence, head), zero = Matrix::Zero(written.rows(), written.cols());
  HeadAnswer state;
  state.route = "double";
  state.u = state.e = written;
  state.u_radius = state.e_radius = zero;
  const CacheScores exact = cache_scores(inputs, state);
  const Format& stored = dtype_format(input.k.dtype);
  const Matrix bound = score_bound(inputs, written, zero, zero, score_formats("deltaproof-chunk", formats::f32), stored);
  ZeroProbe zeros;
  for (Index t = 0; t < sequence.length; ++t) {
    const std::int64_t flat = (sequence.first + t) * input.shape.HV + head;
    judge.compare(scores, "scores", flat, exact.score(t, 0), bound(t, 0) + exact.radius(t, 0), &zeros);
  }
  judge.end(zeros);
}

}  // namespace

Verdict judge_scores(const StageProblem& problem, const Outputs& outputs, Verdict verdict) {
  const auto& input = std::get<ScoresInput>(problem.input);
  verdict.bound = "score";
  StageJudge judge(problem, std::move(verdict));
  for (const StageSequence& sequence : sequences_of(problem)) {
    for (std::int64_t head = 0; sequence.length > 0 && head < input.shape.HV; ++head) {
      judge_head(input, sequence, head, outputs.tensors.at("scores"), judge);
    }
  }
  return std::move(judge).outcome();
}

}  // namespace deltaproof
