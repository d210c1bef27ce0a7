#include "properties/diagnose/explain/judged_run.hpp"

#include <algorithm>
#include <mutex>

#include "kernels/given_outputs.hpp"
#include "properties/accuracy/conclude.hpp"
#include "properties/accuracy/pieces.hpp"
#include "properties/selection/exported.hpp"

namespace deltaproof {
namespace {

// Names nothing: what is said of a run follows from its problem and its outputs alone.
GivenOutputs the_run(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared) {
  return {problem.options().arithmetic, outputs, declared};
}

AccuracyOptions accuracy_options(const JudgedRunOptions& options) {
  AccuracyOptions accuracy;
  accuracy.tensor_core = options.tensor_core;
  accuracy.threads = options.threads;
  accuracy.conformity = options.conformity;
  accuracy.progress = options.progress;
  return accuracy;
}

Measured measure_run(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
                     const JudgedRunOptions& options) {
  return measure(problem, the_run(problem, outputs, declared), accuracy_options(options));
}

bool same_rows(const Verdict& verdict, Rows rows) {
  const auto& notes = verdict.notes;
  return *describe(rows) != '\0' && std::find(notes.begin(), notes.end(), describe(rows)) != notes.end();
}

}  // namespace

JudgedRun::JudgedRun(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
                     const JudgedRunOptions& options)
    : problem_(problem), outputs_(outputs), declared_(declared), options_(options),
      measured_(measure_run(problem_, outputs_, declared_, options_)) {
  if (problem_.options().rule == Rule::hola) cache_.emplace(problem_, outputs_);
  choice_ = choose_bound(problem_.options().arithmetic, state());
  if (choice_.kind == BoundChoice::Kind::none) return;
  units_ = plan_units(state(), outputs_, choice_);
  for (const Rows rows : row_hypotheses(state(), choice_)) {
    if (same_rows(measured_.verdict, rows)) rows_ = rows;
  }
  if (cache_) {
    const JudgeContext of_state{state(), outputs_, problem_.options().arithmetic, choice_,
                                *find_tensor_core(options_.tensor_core)};
    AccuracyOptions silent = accuracy_options(options_);
    silent.progress = {};
    cache_->judge(of_state, units_, silent);
  }
}

JudgeContext JudgedRun::context() const {
  JudgeContext context{state(), cache_ ? cache_->outputs() : outputs_, problem_.options().arithmetic, choice_,
                       *find_tensor_core(options_.tensor_core)};
  if (cache_) context.reads = &cache_->reads();
  return context;
}

std::vector<BoundTerm> JudgedRun::terms_at(const Location& where) const {
  const Unit* unit = unit_at(units_, where);
  if (unit == nullptr || where.column < 0) return {};
  const HeadInputs head = with_rows(head_inputs(state(), *unit->sequence, unit->head), rows_, coarsest_input(state()));
  return deltaproof::terms_at(context(), *unit, head, where);
}

std::optional<ChunkTerms> JudgedRun::chunk_at(const Location& where) const {
  const Unit* unit = unit_at(units_, where);
  const RuleInfo& rule = rule_info(state().options().rule);
  if (unit == nullptr || unit->length == 0 || rule.system != System::update_family) return std::nullopt;
  const HeadInputs head = with_rows(head_inputs(state(), *unit->sequence, unit->head), rows_, coarsest_input(state()));
  const Matrix before = state_before(state(), outputs_, *unit, head);
  if (!before.allFinite()) return std::nullopt;
  const std::int64_t token = where.row >= 0 ? where.token - 1 : where.token;
  return chunk_terms(head, *unit, before, token);
}

std::vector<MeasuredBlock> JudgedRun::against_declared() const {
  std::vector<MeasuredBlock> blocks;
  std::optional<Declared> declared = declared_order(the_run(problem_, outputs_, declared_), state());
  if (!declared || units_.empty()) return blocks;
  if (options_.tensor_core != "any") declared->mma = options_.tensor_core;
  const Outputs& judged = cache_ ? cache_->outputs() : outputs_;
  ConformityContext context = conformity_context(state(), judged, *declared);
  if (cache_) context.reads = &cache_->reads();
  context.bits = false;
  std::mutex mutex;
  context.observe = [&](const ComparedBlock& block) {
    const std::lock_guard lock(mutex);
    blocks.push_back(measured_block(block));
  };
  if (context.pin) judge_conformity(context, units_, options_.threads);
  return blocks;
}

std::vector<MeasuredBlock> JudgedRun::scores() const {
  std::vector<MeasuredBlock> blocks;
  const Tensor* exported = outputs_.find("scores");
  if (!cache_ || exported == nullptr || problem_.options().hola.score == CacheScore::attention) return blocks;
  AccuracyOptions silent = accuracy_options(options_);
  silent.progress = {};
  JudgeContext of_state{state(), outputs_, problem_.options().arithmetic, choice_, *find_tensor_core(options_.tensor_core)};
  const ScoresOfHeads right = scores_of_heads(of_state, problem_, units_, silent, rows_);
  for (const Sequence& sequence : problem_.sequences()) {
    for (std::int64_t head = 0; head < problem_.dims().HV; ++head) {
      const auto found = right.find({sequence.index, head});
      if (found == right.end() || sequence.length == 0) continue;
      const Unit whole{&sequence, head, 0, sequence.length, -1};
      const Index T = sequence.length;
      MeasuredBlock block{block_of(state(), whole, "scores", false, 0), Matrix(T, 1), Matrix(T, 1), Matrix(T, 1)};
      const std::vector<double> values = exported_scores(*exported, sequence, head);
      for (Index t = 0; t < T; ++t) {
        const auto at = static_cast<std::size_t>(t);
        block.value(t, 0) = values[at];
        block.expected(t, 0) = found->second.exact[at];
        block.allowed(t, 0) = found->second.reference_radius[at] + found->second.kernel_radius[at];
      }
      blocks.push_back(std::move(block));
    }
  }
  return blocks;
}

}  // namespace deltaproof
