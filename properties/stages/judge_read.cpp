#include <cmath>
#include <utility>

#include "properties/stages/read_answer.hpp"
#include "properties/stages/stage_judge.hpp"
#include "properties/stages/stage_properties.hpp"
#include "reference/bounds/read_bound.hpp"

namespace deltaproof {
namespace {

// o of the state, handed in, and the share of the cache: added in fp32, then stored in the type of o.
void judge_sum(const ReadInput& input, const StageSequence& sequence, std::int64_t head, const ReadAnswer& answer,
               const Tensor& o, StageJudge& judge) {
  Matrix state(sequence.length, input.shape.V);
  for (Index t = 0; t < state.rows(); ++t) {
    for (Index c = 0; c < state.cols(); ++c) state(t, c) = input.o.value(value_place(input.shape, sequence, head, t, c));
  }
  const Matrix share_size = answer.share.cwiseAbs() + answer.share_bound;
  const ReadFormats formats = stage_read_formats(input, head_of(input, sequence, head));
  const Matrix added = sum_bound(state.cwiseAbs(), share_size, formats) + answer.share_bound;
  const Format& stored = dtype_format(input.o.dtype);
  for (Index t = 0; t < state.rows(); ++t) {
    for (Index c = 0; c < state.cols(); ++c) {
      const double right = state(t, c) + answer.share(t, c);
      const double bound = added(t, c) + half_ulp(stored, std::abs(right) + added(t, c)) + std::abs(right) * 0x1p-52;
      judge.compare(o, "o", value_place(input.shape, sequence, head, t, c), right, bound);
    }
  }
}

void judge_head(const ReadInput& input, const StageSequence& sequence, std::int64_t head, const Outputs& outputs,
                StageJudge& judge) {
  const ReadAnswer answer = read_answer(input, sequence, head);
  ZeroProbe zeros;
  for (Index t = 0; t < answer.read.rows(); ++t) {
    for (Index c = 0; c < answer.read.cols(); ++c) {
      judge.compare(outputs.tensors.at("cache_o"), "cache_o", value_place(input.shape, sequence, head, t, c),
                    answer.read(t, c), answer.read_bound(t, c), &zeros);
    }
  }
  judge.end(zeros);
  judge_sum(input, sequence, head, answer, outputs.tensors.at("o"), judge);
}

}  // namespace

Verdict judge_read(const StageProblem& problem, const Outputs& outputs, Verdict verdict) {
  const auto& input = std::get<ReadInput>(problem.input);
  verdict.bound = "read";
  StageJudge judge(problem, std::move(verdict));
  for (const StageSequence& sequence : sequences_of(problem)) {
    for (std::int64_t head = 0; sequence.length > 0 && head < input.shape.HV; ++head) {
      judge_head(input, sequence, head, outputs, judge);
    }
  }
  return std::move(judge).outcome();
}

}  // namespace deltaproof
