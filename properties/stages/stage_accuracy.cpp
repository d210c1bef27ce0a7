#include <utility>

#include "properties/accuracy/outputs_hash.hpp"
#include "properties/stages/stage_properties.hpp"

namespace deltaproof {
namespace {

std::string why_not(const StageTrial& trial) {
  const auto* select = std::get_if<SelectInput>(&trial.problem.input);
  return select != nullptr && select->w == 0 ? "with w = 0 no set has a place" : "";
}

Verdict check(const StageTrial& trial, const Outputs& outputs, Verdict verdict) {
  verdict.outputs_hash = outputs_hash(outputs);
  if (trial.problem.stage() == "scores") return judge_scores(trial.problem, outputs, std::move(verdict));
  if (trial.problem.stage() == "select") return judge_sets(trial.problem, outputs, std::move(verdict));
  return judge_read(trial.problem, outputs, std::move(verdict));
}

}  // namespace

const StageProperty stage_accuracy{
    "accuracy", "scores and reads are within their proven bound, sets are the top-w of the scores to the bit", "",
    &why_not, &check};

}  // namespace deltaproof
