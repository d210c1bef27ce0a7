#include "properties/accuracy/accuracy.hpp"

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "properties/accuracy/advisory.hpp"
#include "properties/accuracy/cache_bits.hpp"
#include "properties/accuracy/cache_run.hpp"
#include "properties/accuracy/conclude.hpp"
#include "properties/accuracy/divergence.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/accuracy/fitting.hpp"
#include "properties/accuracy/judge_hypotheses.hpp"
#include "properties/accuracy/judge_units.hpp"
#include "properties/accuracy/outputs_hash.hpp"
#include "reference/problem/arithmetics.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

// What the case holds that no verdict rests on.
void note_what_was_not_used(const JudgeContext& context, Verdict& verdict) {
  for (const std::string& name : context.problem.unused()) {
    verdict.notes.push_back("tensor '" + name + "' is not used by this rule");
  }
  for (const std::string& key : context.problem.unknown_metadata()) {
    verdict.notes.push_back("metadata '" + key + "' is not known and was not read");
  }
  if (context.outputs.find("o") == nullptr && context.problem.dims().T > 0 && !context.outputs.tensors.empty()) {
    verdict.notes.push_back("there is no 'o': only states were judged");
  }
  if (const Tensor* states = context.outputs.find("chunk_states");
      states != nullptr && context.choice.exact_states && !states_are_exact(context.choice, context.outputs)) {
    verdict.notes.push_back("chunk_states in " + std::string(dtype_name(states->dtype)) +
                            " do not hold the kernel's fp32 states exactly: they were compared, not trusted");
  }
}

// Values of the outputs that belong to no sequence.
void note_what_was_left_out(const JudgeContext& context, Verdict& verdict) {
  std::int64_t padding = 0, tokens = 0;
  for (const Sequence& sequence : context.problem.sequences()) {
    if (sequence.state_row < 0) ++padding; else tokens += sequence.length;
  }
  const Dimensions& d = context.problem.dims();
  if (padding > 0) verdict.notes.push_back(fmt::format("{} padding sequences were not judged", padding));
  if (tokens < d.B * d.T) {
    verdict.notes.push_back(fmt::format("{} of {} token rows belong to no judged sequence",
                                        d.B * d.T - tokens, d.B * d.T));
  }
}

std::optional<Declared> declared_by(const Kernel& kernel, const Problem& problem, const AccuracyOptions& options) {
  if (!options.conformity) return std::nullopt;
  std::optional<Declared> declared = declared_order(kernel, problem);
  if (declared && options.tensor_core != "any") declared->mma = options.tensor_core;
  return declared;
}

// Options whose progress runs from one share of the whole to another.
AccuracyOptions with_progress(AccuracyOptions options, double from, double to) {
  if (options.progress) {
    options.progress = [from, to, whole = options.progress](double share) { whole(from + (to - from) * share); };
  }
  return options;
}

// Where no states were recorded, the bound of a long run may be too loose to say anything. If the emulation gives
// every bit of the outputs, its states are as good as recorded ones: each chunk is judged from them.
bool needs_emulated_states(const BoundChoice& choice, const Outputs& outputs, const Conformity& conformity,
                           const Verdict& verdict) {
  return verdict.status == Status::uninformative && choice.kind == BoundChoice::Kind::chunk &&
         !states_are_exact(choice, outputs) && conformity.bits.compared > 0 && conformity.bits.unequal == 0;
}

void judge_from_emulated_states(const JudgeContext& context, const ConformityContext& against,
                                const AccuracyOptions& options, Verdict& verdict) {
  Outputs outputs = context.outputs;
  outputs.tensors["chunk_states"] = emulated_states(context.problem, against.resolved, options.threads);
  JudgeContext with_states{context.problem, outputs, context.arithmetic, context.choice, context.tensor_core};
  with_states.reads = context.reads;
  Verdict again = verdict;
  again.bound = bound_name(context.choice, true) + ", states from the emulation";
  again.terms.clear();
  AccuracyOptions silent = options;
  silent.progress = {};
  judge_hypotheses(with_states, plan_units(context.problem, outputs, context.choice), silent, again);
  again.compared = verdict.compared;  // the emulation's states are no values of the kernel
  again.notes.push_back("no states were recorded: each chunk was judged from the emulation's, which gives every "
                        "bit of the outputs");
  verdict = std::move(again);
}

// What autotuning chooses when a kernel runs is not declared: if PIN has nothing against the run and one of the
// layouts it chooses from gives every bit, that is the one.
void take_chosen_layout(ConformityContext& against, const std::vector<Unit>& units, int threads,
                        Conformity& conformity) {
  if (conformity.pin.violations > 0 || conformity.bits.unequal == 0) return;
  std::optional<Fit> layout = autotuned_layout(against, units, conformity, threads);
  if (!layout) return;
  against.resolved = resolve_for(against.problem, against.outputs, layout->declared);
  conformity = std::move(layout->conformity);
}

void hold_against(const Declared& declared, const JudgeContext& context, const std::vector<Unit>& units,
                  const AccuracyOptions& options, const Comparison& comparison, Verdict& verdict) {
  ConformityContext against = conformity_context(context.problem, context.outputs, declared);
  against.reads = context.reads;
  Conformity conformity =
      judge_conformity(against, units, options.threads, with_progress(options, 0.5, 1).progress);
  take_chosen_layout(against, units, options.threads, conformity);
  if (context.reads != nullptr && against.bits) conformity.bits = cache_bits(context, declared);
  report_conformity(declared, against, conformity, verdict);
  if (needs_emulated_states(context.choice, context.outputs, conformity, verdict)) {
    judge_from_emulated_states(context, against, options, verdict);
  }
  conclude(against, units, comparison, conformity, options, verdict);
}

AdvisoryReport advisory_report(const JudgeContext& context, const std::vector<Unit>& units, Rows rows,
                               const std::optional<Declared>& declared, const AccuracyOptions& options) {
  AdvisoryReport report;
  if (context.reads != nullptr) {
    report.off = "how the errors of a cache's read are spread is not modelled";
    return report;
  }
  if (declared) report.off = declared_truncation(*declared, context.problem.options().rule);
  if (report.off.empty()) return judge_spread(context, units, rows, options.threads);
  report.off = "the declared order truncates what its family rounds, a bias that is not modelled (" + report.off + ")";
  return report;
}

// Shows the caller what was compared. It is worked out once more: which hypothesis is reported is known at the end.
void observe(const JudgeContext& context, const std::vector<Unit>& units, Rows rows, const AccuracyOptions& options) {
  std::mutex mutex;
  JudgeContext observed = context;
  observed.observe = [&](const ComparedBlock& block) {
    const std::lock_guard lock(mutex);
    options.observe(block);
  };
  AccuracyOptions silent = options;
  silent.progress = {};
  judge_units(observed, units, silent, rows);
}

// What was judged in the end.
struct JudgedUnits {
  std::vector<Unit> units;
  Rows rows = Rows::as_given;
};

Rows judge(const JudgeContext& context, const std::vector<Unit>& units, const std::optional<Declared>& declared,
           const AccuracyOptions& options, Verdict& verdict) {
  const AccuracyOptions first = with_progress(options, 0, declared ? 0.5 : 1);
  const Judged judged = judge_hypotheses(context, units, first, verdict);
  if (declared) hold_against(*declared, context, units, options, judged.comparison, verdict);
  advise(advisory_report(context, units, judged.rows, declared, options), verdict);
  return judged.rows;
}

// A right answer that no type holds is no fault of the kernel: what comes before it is judged again, without it.
void judge_in_range(const JudgeContext& context, const std::optional<Declared>& declared,
                    const AccuracyOptions& options, const Verdict& blank, JudgedUnits& judged, Verdict& verdict) {
  InRange in_range = units_in_range(context.problem, context.outputs, context.choice, judged.units);
  if (in_range.first.empty()) return;
  verdict = blank;
  const std::string sentence = in_range.first + "; from there on nothing is judged";
  judged.units = std::move(in_range.units);
  if (!judged.units.empty()) judged.rows = judge(context, judged.units, declared, options, verdict);
  if (!judged.units.empty() && verdict.status != Status::passed && verdict.status != Status::uninformative) {
    verdict.notes.push_back(sentence);
    return;
  }
  verdict.status = Status::uninformative;
  verdict.reason = sentence;
}

void judge_run(const JudgeContext& context, const std::vector<Unit>& units, const std::optional<Declared>& declared,
               const AccuracyOptions& options, Verdict& verdict) {
  const Verdict blank = verdict;
  JudgedUnits judged{units};
  judged.rows = judge(context, units, declared, options, verdict);
  if (verdict.status != Status::passed && verdict.status != Status::suspect) {
    judge_in_range(context, declared, options, blank, judged, verdict);
  }
  if (options.observe) observe(context, judged.units, judged.rows, options);
}

JudgeContext with_reads(const JudgeContext& context, const CacheRun& cache) {
  JudgeContext with{context.problem, cache.outputs(), context.arithmetic, context.choice, context.tensor_core};
  with.reads = &cache.reads();
  return with;
}

}  // namespace

Verdict check_accuracy(const Problem& problem, const Kernel& kernel, const AccuracyOptions& options) {
  const std::string arithmetic = kernel.arithmetic();
  if (find_arithmetic(arithmetic) == nullptr) {
    throw InputError("unknown arithmetic '" + arithmetic + "'; `deltaproof list arithmetics` names them");
  }
  const TensorCoreModel* tensor_core = find_tensor_core(options.tensor_core);
  if (tensor_core == nullptr) {
    throw InputError("unknown tensor core '" + options.tensor_core + "'");
  }
  Verdict verdict;
  verdict.case_name = problem.name();
  verdict.kernel = kernel.name();
  verdict.arithmetic = arithmetic;
  verdict.property = "accuracy";
  const Outputs outputs = kernel.run(problem);
  verdict.outputs_hash = outputs_hash(outputs);
  std::optional<CacheRun> cache;
  if (problem.options().rule == Rule::hola) cache.emplace(problem, outputs);
  const Problem& judged = cache ? cache->state() : problem;
  const JudgeContext context{judged, outputs, arithmetic, choose_bound(arithmetic, judged), *tensor_core};
  verdict.bound = bound_name(context.choice, states_are_exact(context.choice, outputs));
  note_what_was_not_used(context, verdict);
  if (context.choice.kind == BoundChoice::Kind::none) {
    verdict.status = Status::uninformative;
    verdict.reason = context.choice.why_none;
    return verdict;
  }
  const std::vector<Unit> units =
      sample_units(plan_units(judged, outputs, context.choice), options.sample, options.seed);
  if (cache) cache->judge(context, units, options);
  judge_run(cache ? with_reads(context, *cache) : context, units, declared_by(kernel, judged, options), options, verdict);
  if (cache) report_cache(cache->findings(), verdict);
  note_what_was_left_out(context, verdict);
  return verdict;
}

}  // namespace deltaproof
