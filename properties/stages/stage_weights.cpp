#include <fmt/format.h>

#include <optional>
#include <utility>

#include "properties/runs/ended.hpp"
#include "properties/stages/drawn_tensor.hpp"
#include "properties/stages/stage_head.hpp"
#include "properties/stages/stage_judge.hpp"
#include "properties/stages/stage_properties.hpp"

// With v = 1 the read is the sum of weights. The stage adds r Z + p to Z, from 1 on, and r a + p 1 to each channel's a,
// from 0 on, each in one rounding: roundings keep an order, so a <= Z after every entry, and 0 <= fl(a / Z) <= 1
// without a tolerance. With a sink so far below that its weight is 0 the first entry gives Z = a, and so do all
// others: the read is 1 exactly, where something is visible, and 0 where nothing is.

namespace deltaproof {
namespace {

constexpr double far_below = -1e30;

std::string why_not(const StageTrial& trial) {
  const StageShape& d = trial.problem.shape();
  return d.B * d.T * d.HV == 0 ? "there is no query" : "";
}

StageProblem with_ones(const StageProblem& problem, std::optional<double> sink) {
  StageProblem other = problem;
  auto& input = std::get<ReadInput>(other.input);
  input.v = drawn_tensor(input.v.dtype, input.v.shape, [](std::int64_t) { return 1.0; });
  if (sink) input.sink = drawn_tensor(Dtype::f32, input.sink.shape, [&](std::int64_t) { return *sink; });
  return other;
}

bool sees_something(const ReadInput& input, const StageSequence& sequence, std::int64_t head, std::int64_t t) {
  return input.read_block || !row_of(input, sequence, t / input.C, head).empty();
}

// `whole`: the sum of weights must be 1, not at most 1.
void judge(const StageProblem& problem, const Tensor& read, bool whole, Verdict& verdict) {
  const auto& input = std::get<ReadInput>(problem.input);
  for (const StageSequence& sequence : sequences_of(problem)) {
    for (std::int64_t i = 0; i < sequence.length * input.shape.HV * input.shape.V; ++i) {
      const std::int64_t head = i / input.shape.V % input.shape.HV, t = i / (input.shape.V * input.shape.HV);
      const std::int64_t flat = value_place(input.shape, sequence, 0, 0, 0) + i;
      const double value = read.value(flat), most = sees_something(input, sequence, head, t) ? 1 : 0;
      ++verdict.compared;
      const bool right = whole ? value == most : value >= 0 && value <= most;
      if (right || verdict.violations++ > 0) continue;
      verdict.has_first_bad = true;
      verdict.first_bad = place_in_stage(problem, "cache_o", flat);
      verdict.value = value, verdict.expected = most;
      verdict.reason = fmt::format("with v = 1{} the read at {} is {}, not {}{}", whole ? " and no sink" : "",
                                   to_string(verdict.first_bad), value, whole ? "" : "from 0 to ", most);
    }
  }
}

Verdict check(const StageTrial& trial, const Outputs&, Verdict verdict) {
  verdict.bound = "order of roundings";
  for (const bool whole : {false, true}) {
    const StageProblem problem = with_ones(trial.problem, whole ? std::optional(far_below) : std::nullopt);
    judge(problem, trial.run(trial.device, problem).tensors.at("cache_o"), whole, verdict);
  }
  verdict.status = verdict.violations == 0 ? Status::passed : Status::failed;
  return verdict;
}

}  // namespace

const StageProperty stage_weights{
    "stage_weights", "cache_read: weights are not negative and sum to at most 1, to 1 where the sink has none",
    "cache_read", &why_not, &check};

}  // namespace deltaproof
