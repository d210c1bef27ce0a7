#include "properties/accuracy/judge_hypotheses.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "properties/accuracy/judge_units.hpp"
#include "properties/accuracy/one_run.hpp"
#include "properties/accuracy/profile.hpp"

namespace deltaproof {
namespace {

void fill_numbers(const Comparison& comparison, Verdict& verdict) {
  verdict.compared = comparison.compared;
  verdict.violations = comparison.violations;
  verdict.worst_ratio = comparison.worst.ratio;
  verdict.worst = comparison.worst.location;
  verdict.value = comparison.worst.value;
  verdict.expected = comparison.worst.expected;
  verdict.error = comparison.worst.error;
  verdict.bound_value = comparison.worst.bound;
  verdict.has_first_bad = comparison.first_bad.found;
  verdict.first_bad = comparison.first_bad.location;
  verdict.probes = comparison.probes();
}

// "final_state (8 heads; first at sequence 0, token 448): zeros, flipped sign; o (head 2; ..): zeros"
std::string vacuous_probes(const std::vector<Probe>& probes) {
  struct Found {
    std::set<std::int64_t> heads;
    std::set<std::string> wrong;
    std::pair<std::int64_t, std::int64_t> first{std::numeric_limits<std::int64_t>::max(), 0};
  };
  std::map<std::string, Found> by_tensor;
  for (const Probe& probe : probes) {
    if (!probe.accepted) continue;
    Found& found = by_tensor[probe.tensor];
    found.heads.insert(probe.head);
    found.wrong.insert(probe.wrong_answer);
    found.first = std::min(found.first, {probe.first.sequence, probe.first.token});
  }
  std::string list;
  for (const auto& [tensor, found] : by_tensor) {
    if (!list.empty()) list += "; ";
    list += found.heads.size() == 1 ? fmt::format("{} (head {}", tensor, *found.heads.begin())
                                    : fmt::format("{} ({} heads", tensor, found.heads.size());
    list += fmt::format("; first at sequence {}, token {}): {}", found.first.first, found.first.second,
                        fmt::join(found.wrong, ", "));
  }
  return list;
}

void decide(const JudgeContext& context, const Comparison& comparison, Verdict& verdict) {
  if (comparison.non_finite > 0) {
    verdict.status = Status::failed;
    verdict.reason = fmt::format("{} of {} output values are not finite; the first wrong value is at {}",
                                 comparison.non_finite, comparison.compared,
                                 to_string(comparison.first_bad.location));
    return;
  }
  if (comparison.violations > 0) {
    verdict.status = context.choice.assumed ? Status::nonconforming : Status::failed;
    verdict.reason = fmt::format("{} of {} values are further from the right answer than {} allows",
                                 comparison.violations, comparison.compared, verdict.bound);
    if (context.choice.assumed) {
      verdict.reason += "; no arithmetic was declared, assumed: chunks of the case's chunk_size, every "
                        "intermediate in the input's type, TF32 merge, fp32 state. Declare the kernel's "
                        "arithmetic to have it judged by its own bound";
    }
    return;
  }
  if (comparison.compared == 0) {
    verdict.status = Status::uninformative;
    verdict.reason = "there was nothing to compare";
    return;
  }
  if (comparison.unbounded > 0) {
    verdict.status = Status::uninformative;
    verdict.reason = fmt::format("{} of {} values have no finite bound, the first at {}",
                                 comparison.unbounded, comparison.compared,
                                 to_string(comparison.first_unbounded));
    return;
  }
  if (const std::string accepted = vacuous_probes(verdict.probes); !accepted.empty()) {
    verdict.status = Status::uninformative;
    verdict.reason = "the bound would also accept wrong answers: " + accepted;
    return;
  }
  verdict.status = Status::passed;
}

// A record that contradicts itself is no run of any kernel.
void check_one_run(const JudgeContext& context, Verdict& verdict) {
  if (verdict.status == Status::failed || verdict.status == Status::nonconforming) return;
  const std::optional<Location> where = first_contradiction(context.problem, context.outputs);
  if (!where) return;
  verdict.status = Status::failed;
  verdict.reason = "final_state and the last of chunk_states must be the same state of one run; they differ at " +
                   to_string(*where);
  verdict.has_first_bad = true;
  verdict.first_bad = *where;
}

void add_terms(const JudgeContext& context, const std::vector<Unit>& units, Rows rows, Verdict& verdict) {
  const Unit* unit = unit_at(units, verdict.worst);
  if (unit == nullptr) return;
  const HeadInputs head = with_rows(head_inputs(context.problem, *unit->sequence, unit->head), rows,
                                    coarsest_input(context.problem));
  verdict.terms = terms_at(context, *unit, head, verdict.worst);
}

// Judges the units under one hypothesis; with what was compared on the way the profile is filled.
UnitResult judge_profiled(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options,
                          Rows rows, std::vector<TensorProfile>& profile) {
  if (!options.profile) return judge_units(context, units, options, rows);
  ProfileBuilder builder(context.problem);
  JudgeContext observed = context;
  observed.observe = [&](const ComparedBlock& block) {
    builder.add(block);
    if (context.observe) context.observe(block);
  };
  UnitResult result = judge_units(observed, units, options, rows);
  profile = builder.profiles();
  return result;
}

}  // namespace

Judged judge_hypotheses(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options,
                        Verdict& verdict) {
  const Verdict blank = verdict;
  Judged reported;
  bool judged = false;
  for (const Rows rows : row_hypotheses(context.problem, context.choice)) {
    Verdict candidate = blank;
    const UnitResult result = judge_profiled(context, units, options, rows, candidate.profile);
    fill_numbers(result.comparison, candidate);
    decide(context, result.comparison, candidate);
    if (result.bits > 53) {
      candidate.notes.push_back(fmt::format("the reference needed {} bits", result.bits));
    }
    if (*describe(rows) != '\0') candidate.notes.push_back(describe(rows));
    const bool nearer = std::pair(candidate.violations, candidate.worst_ratio) <
                        std::pair(verdict.violations, verdict.worst_ratio);
    if (!judged || candidate.status == Status::passed || nearer) {
      verdict = std::move(candidate);
      reported = {result.comparison, rows};
    }
    judged = true;
    if (verdict.status == Status::passed) break;
  }
  check_one_run(context, verdict);
  if (verdict.status != Status::passed && verdict.compared > 0) add_terms(context, units, reported.rows, verdict);
  return reported;
}

}  // namespace deltaproof
