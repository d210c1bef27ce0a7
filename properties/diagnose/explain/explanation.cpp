#include "properties/diagnose/explain/explanation.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "properties/diagnose/explain/hypotheses_values.hpp"

namespace deltaproof {
namespace {

// Shares of the work, roughly as they take time.
constexpr double judged_at = 0.3, looked_at = 0.4;

std::function<void(double)> between(const std::function<void(double)>& whole, double from, double to) {
  if (!whole) return {};
  return [=](double share) { whole(from + (to - from) * share); };
}

bool is_wrong(Status status) {
  return status == Status::failed || status == Status::nonconforming || status == Status::suspect;
}

std::vector<MeasuredBlock> with_scores(const JudgedRun& run, std::vector<MeasuredBlock> blocks) {
  if (run.verdict().status != Status::failed) return blocks;
  for (MeasuredBlock& block : run.scores()) blocks.push_back(std::move(block));
  return blocks;
}

void look_at(const JudgedRun& run, const RunMap& map, ExplainedBy by, Explanation& explanation) {
  explanation.by = by;
  explanation.first = broken_terms(run, first_bad(map), by == ExplainedBy::bound);
  explanation.worst = broken_terms(run, worst(map), by == ExplainedBy::bound);
  explanation.spread = spread_of(map, run.problem());
  explanation.patterns = value_patterns(map, run.problem());
}

// What is out of the bound, or else out of what the declared order can give.
void find(const JudgedRun& run, Explanation& explanation) {
  const RunMap by_bound(with_scores(run, run.measured().blocks));
  explanation.stage = stage_of(run, by_bound);
  if (by_bound.bad() > 0) return look_at(run, by_bound, ExplainedBy::bound, explanation);
  if (!run.verdict().conformity || run.verdict().conformity->pin_violations == 0) return;
  const RunMap by_order(run.against_declared());
  if (by_order.bad() > 0) look_at(run, by_order, ExplainedBy::declared_order, explanation);
}

// No verdict rests on a row that no sequence has: a kernel that hands out a new pool may leave anything there.
void note_pool_rows(const Problem& problem, const Outputs& outputs, const Measured& measured, Explanation& explanation) {
  std::set<std::int64_t> rows;
  for (const MeasuredBlock& block : blocks_of_the_rest(problem, outputs, measured.blocks)) {
    if (block.place.sequence < 0 && block.value != block.expected) rows.insert(block.place.first_token);
  }
  if (rows.empty()) return;
  explanation.notes.push_back(fmt::format("final_state differs from initial_state in {} of the pool's rows that no judged "
                                          "sequence has, the first is {}: not judged, wrong if the kernel works in place",
                                          rows.size(), *rows.begin()));
}

}  // namespace

Explanation explain(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
                    const ExplainOptions& options) {
  const JudgedRun run(problem, outputs, declared,
                      {options.tensor_core, options.threads, true, between(options.progress, 0, judged_at)});
  Explanation explanation;
  explanation.verdict = run.verdict();
  note_pool_rows(problem, outputs, run.measured(), explanation);
  if (!is_wrong(explanation.verdict.status)) return explanation;
  find(run, explanation);
  if (options.progress) options.progress(looked_at);
  HypothesesOptions asked;
  asked.threads = options.threads;
  asked.progress = between(options.progress, looked_at, 1);
  explanation.hypotheses = hypotheses(problem, outputs, declared, run.measured(), asked);
  return explanation;
}

bool explains(const Explanation& explanation, const Hypothesis& hypothesis) {
  // Of a cache's sets nothing but the right ones is within the bound.
  const bool out_of_bound = explanation.by == ExplainedBy::bound || explanation.stage.coarse == FailureStage::selection;
  if (out_of_bound) return hypothesis.fits();
  return hypothesis.compared > 0 && hypothesis.unequal == 0;
}

}  // namespace deltaproof
