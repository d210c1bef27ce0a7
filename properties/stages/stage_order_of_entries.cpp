#include <algorithm>
#include <utility>

#include "properties/stages/read_answer.hpp"
#include "properties/stages/stage_judge.hpp"
#include "properties/stages/stage_properties.hpp"

// The exact read does not know the order of a row, so both runs lie within the bound of one number: 2 bounds apart.

namespace deltaproof {
namespace {

std::string why_not(const StageTrial& trial) {
  const auto& input = std::get<ReadInput>(trial.problem.input);
  for (const StageSequence& sequence : sequences_of(trial.problem)) {
    for (std::int64_t n = 0; n < sequence.blocks; ++n) {
      for (std::int64_t head = 0; head < input.shape.HV; ++head) {
        if (row_of(input, sequence, n, head).size() > 1) return {};
      }
    }
  }
  return "no row has two entries";
}

// Every row from its last place to its first, empty places among them.
StageProblem turned_round(const StageProblem& problem) {
  StageProblem turned = problem;
  auto& input = std::get<ReadInput>(turned.input);
  for (auto row = input.selected.begin(); row != input.selected.end(); row += input.w) std::reverse(row, row + input.w);
  return turned;
}

Verdict check(const StageTrial& trial, const Outputs& outputs, Verdict verdict) {
  const auto& input = std::get<ReadInput>(trial.problem.input);
  const Tensor& read = outputs.tensors.at("cache_o");
  const StageProblem turned = turned_round(trial.problem);
  const Outputs other = trial.run(trial.device, turned);
  verdict.bound = "read, twice";
  StageJudge judge(trial.problem, std::move(verdict));
  for (const StageSequence& sequence : sequences_of(trial.problem)) {
    for (std::int64_t head = 0; sequence.length > 0 && head < input.shape.HV; ++head) {
      const Matrix one = read_answer(input, sequence, head).read_bound;
      const Matrix two = read_answer(std::get<ReadInput>(turned.input), sequence, head).read_bound;
      ZeroProbe zeros;
      for (Index t = 0; t < one.rows(); ++t) {
        for (Index c = 0; c < one.cols(); ++c) {
          const std::int64_t flat = value_place(input.shape, sequence, head, t, c);
          judge.compare(other.tensors.at("cache_o"), "cache_o", flat, read.value(flat), one(t, c) + two(t, c), &zeros);
        }
      }
      judge.end(zeros);
    }
  }
  return std::move(judge).outcome();
}

}  // namespace

const StageProperty stage_order_of_entries{
    "stage_order_of_entries", "cache_read: the order of a row's entries changes the read within its bound alone",
    "cache_read", &why_not, &check};

}  // namespace deltaproof
