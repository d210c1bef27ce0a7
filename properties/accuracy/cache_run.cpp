#include "properties/accuracy/cache_run.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "properties/accuracy/possible_reads.hpp"

namespace deltaproof {
namespace {

// Scores that are right under one hypothesis on normalised rows or the other, around those of the first.
void widen(HeadScores& scores, const HeadScores& other) {
  for (std::size_t t = 0; t < scores.exact.size(); ++t) {
    const double apart = std::abs(scores.exact[t] - other.exact[t]);
    const double needed = (apart + other.reference_radius[t] + other.kernel_radius[t]) * (1 + 0x1p-40);
    if (!(needed <= scores.kernel_radius[t])) scores.kernel_radius[t] = needed;
  }
}

// Exported scores are judged under one hypothesis after the other; where there are none, all must be allowed for.
CacheFindings findings_of(const JudgeContext& context, const Problem& problem, const std::vector<Unit>& units,
                          const AccuracyOptions& options) {
  CacheFindings findings;
  ScoresOfHeads all;
  for (const Rows rows : row_hypotheses(context.problem, context.choice)) {
    ScoresOfHeads scores = scores_of_heads(context, problem, units, options, rows);
    if (context.outputs.find("scores") == nullptr) {
      for (auto& [place, head] : scores) {
        const auto [found, fresh] = all.try_emplace(place, head);
        if (!fresh) widen(found->second, head);
      }
      continue;
    }
    findings = judge_cache(problem, context.outputs, scores);
    if (findings.failure.empty()) return findings;
  }
  return all.empty() ? findings : judge_cache(problem, context.outputs, all);
}

}  // namespace

void CacheRun::judge(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options) {
  findings_ = findings_of(context, problem_, units, options);
  const Tensor* o = outputs_.find("o");
  const Format& input = coarsest_input(state_);
  const Format& output = o == nullptr ? input : dtype_format(o->dtype);
  const auto sets = [this](const Sequence& sequence, std::int64_t head) {
    const SelectionJudgement& judgement = findings_.heads.at({sequence.index, head});
    ReadSets read{judgement.sets, std::vector<bool>(judgement.sets.size())};
    for (std::size_t n = 0; n < judgement.possible.size(); ++n) read.chosen[n] = judgement.possible[n].size() > 1;
    return read;
  };
  const auto formats = [&input, &output, arithmetic = context.arithmetic,
                        &tensor_core = context.tensor_core](const HeadInputs& head) {
    return read_formats(arithmetic, head, input, output, tensor_core);
  };
  reads_.emplace(problem_, sets, formats);
  if (findings_.unknown_sets) {
    without_o_ = outputs_;
    without_o_->tensors.erase("o");
    return;
  }
  JudgeContext with_reads = context;
  with_reads.reads = &*reads_;
  if (take_possible_sets(with_reads, units, options, findings_)) reads_.emplace(problem_, sets, formats);
}

}  // namespace deltaproof
