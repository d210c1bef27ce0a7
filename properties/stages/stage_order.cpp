#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/runs/ended.hpp"
#include "properties/stages/stage_head.hpp"
#include "properties/stages/stage_properties.hpp"

namespace deltaproof {
namespace {

std::string why_not(const StageTrial& trial) {
  const StageShape& d = trial.problem.shape();
  if (std::get<SelectInput>(trial.problem.input).w == 0) return "with w = 0 no set has a place";
  return d.HV == 1 && d.sequences() == 1 ? "there is one head of one sequence" : "";
}

// Sequences and heads from the last to the first.
StageProblem turned_round(const StageProblem& problem) {
  StageProblem turned = problem;
  auto& input = std::get<SelectInput>(turned.input);
  std::reverse(input.shape.lengths.begin(), input.shape.lengths.end());
  const std::vector<StageSequence> from = sequences_of(problem), to = sequences_of(turned);
  const std::int64_t heads = input.shape.HV;
  const auto& scores = std::get<SelectInput>(problem.input).scores;
  for (std::size_t n = 0; n < from.size(); ++n) {
    const StageSequence& target = to[from.size() - 1 - n];
    for (std::int64_t t = 0; t < from[n].length; ++t) {
      for (std::int64_t head = 0; head < heads; ++head) {
        input.scores[static_cast<std::size_t>((target.first + t) * heads + heads - 1 - head)] =
            scores[static_cast<std::size_t>((from[n].first + t) * heads + head)];
      }
    }
  }
  return turned;
}

Verdict check(const StageTrial& trial, const Outputs& outputs, Verdict verdict) {
  verdict.bound = "bits";
  const StageProblem turned = turned_round(trial.problem);
  const Outputs other = trial.run(trial.device, turned);
  const Tensor &x = outputs.tensors.at("selected"), &y = other.tensors.at("selected");
  const auto& input = std::get<SelectInput>(trial.problem.input);
  const std::vector<StageSequence> from = sequences_of(trial.problem), to = sequences_of(turned);
  for (std::size_t n = 0; n < from.size(); ++n) {
    for (std::int64_t i = 0; i < from[n].blocks * input.shape.HV * input.w; ++i) {
      const std::int64_t block = i / (input.shape.HV * input.w), head = i / input.w % input.shape.HV;
      const auto there = set_place(input.shape, to[from.size() - 1 - n], block, input.shape.HV - 1 - head, input.w);
      const std::int64_t flat = from[n].first_block * input.shape.HV * input.w + i;
      ++verdict.compared;
      if (x.integer(flat) == y.integer(static_cast<std::int64_t>(there) + i % input.w) || verdict.violations++ > 0)
        continue;
      verdict.has_first_bad = true;
      verdict.first_bad = place_in_stage(trial.problem, "selected", flat);
    }
  }
  verdict.status = Status::passed;
  if (verdict.violations == 0) return verdict;
  return ended(std::move(verdict), Status::failed,
               fmt::format("with heads and sequences turned round {} of {} places hold other tokens, the first at {}",
                           verdict.violations, verdict.compared, to_string(verdict.first_bad)));
}

}  // namespace

const StageProperty stage_order{"stage_order",
                                "select: heads and sequences in another order give the same sets, in that order",
                                "select", &why_not, &check};

}  // namespace deltaproof
