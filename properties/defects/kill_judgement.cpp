#include "properties/defects/kill_judgement.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "properties/defects/catalogue.hpp"
#include "properties/runs/check_run.hpp"

namespace deltaproof {
namespace {

// Places of our rules.
enum Ours : std::size_t { loc, pin, sigma, structured, bits, properties };

Outcome outcome(bool killed) { return killed ? Outcome::killed : Outcome::survived; }

void take_conformity(const Verdict& verdict, Judgement& judgement) {
  if (!verdict.conformity) return;
  const ConformityReport& report = *verdict.conformity;
  if (report.pin_compared > 0) judgement.outcomes[pin] = outcome(report.pin_violations > 0);
  if (report.bits_compared > 0) judgement.outcomes[bits] = outcome(report.bits_unequal > 0);
}

void take_advisory(const Verdict& verdict, Judgement& judgement) {
  if (!verdict.advisory || !verdict.advisory->off.empty()) return;
  const AdvisoryReport& report = *verdict.advisory;
  if (report.sigma_compared > 0) judgement.outcomes[sigma] = outcome(report.sigma_outside > 0);
  if (report.statistics > 0) judgement.outcomes[structured] = outcome(!report.structures.empty());
}

void kill_by(std::string_view property, Judgement& judgement) {
  judgement.outcomes[properties] = Outcome::killed;
  judgement.property = property;
}

// A run that failed without a value out of bound broke a property: a place is given of the first value that differs
// where it was run chunk by chunk, and of what is wrong in a cache, whose sets have no bound; none where rows were
// written that are others'.
bool broke_a_property(const Verdict& verdict) {
  const bool wrong_set = verdict.has_first_bad && verdict.first_bad.tensor == "selected";
  return verdict.status == Status::failed && (verdict.violations == 0 || wrong_set);
}

// What of the run did.
std::string_view broken_property(const Verdict& verdict) {
  if (!verdict.has_first_bad) return "rows of others";
  const std::string& tensor = verdict.first_bad.tensor;
  if (tensor == "scores") return "scores";
  return tensor == "selected" ? "selection" : "chunk by chunk";
}

}  // namespace

std::span<const MatrixRule> matrix_rules() {
  static const std::vector<MatrixRule> rules = [] {
    std::vector<MatrixRule> all = {{"LOC"}, {"PIN"}, {"6 sigma"}, {"structured"}, {"bits"}, {"properties"}};
    for (const PublishedRuleInfo& info : published_rules()) all.push_back({info.name, false});
    return all;
  }();
  return rules;
}

std::vector<const Property*> matrix_laws() {
  constexpr std::string_view left_out[] = {"repeatable", "chunk_form", "comparator", "slow_decay"};
  std::vector<const Property*> laws;
  for (const Property* law : all_laws()) {
    if (std::find(std::begin(left_out), std::end(left_out), law->name) == std::end(left_out)) laws.push_back(law);
  }
  return laws;
}

JudgedProblem::JudgedProblem(Problem problem, const Kernel& undamaged, std::vector<const Property*> laws,
                             std::uint64_t seed)
    : problem_(std::move(problem)), laws_(std::move(laws)), seed_(seed), published_(problem_) {
  right_ = undamaged.run(problem_);
  undamaged_ = judge(undamaged);
}

void JudgedProblem::judge_run(const Kernel& kernel, Judgement& judgement) const {
  RunChecks checks;
  checks.accuracy.threads = 1;
  checks.accuracy.name_fits = false;
  const Verdict verdict = check_run(problem_, kernel, checks).front();
  if (verdict.status == Status::error) return kill_by("runs to its end", judgement);
  if (verdict.compared > 0) judgement.outcomes[loc] = outcome(verdict.violations > 0);
  take_conformity(verdict, judgement);
  take_advisory(verdict, judgement);
  if (broke_a_property(verdict)) kill_by(broken_property(verdict), judgement);
}

void JudgedProblem::judge_laws(const Kernel& kernel, Judgement& judgement) const {
  for (const Property* law : laws_) {
    if (judgement.outcomes[properties] == Outcome::killed) return;
    const Verdict verdict = check_property(*law, {problem_, kernel, seed_});
    const bool broken = verdict.status == Status::failed || verdict.status == Status::error;
    if (broken) kill_by(law->name, judgement);
  }
}

void JudgedProblem::judge_as_published(const Outputs& outputs, Judgement& judgement) const {
  std::size_t column = our_matrix_rules;
  for (const PublishedRuleInfo& info : published_rules()) {
    judgement.outcomes[column++] = outcome(!published_.accept(info.rule, outputs));
  }
}

Judgement JudgedProblem::judge(const Kernel& kernel) const {
  Judgement judgement;
  judgement.outcomes.assign(matrix_rules().size(), Outcome::not_applicable);
  judgement.why_not = kernel.refusal(problem_);
  if (!judgement.why_not.empty()) return judgement;
  judgement.outcomes[properties] = Outcome::survived;
  try {
    const Outputs outputs = kernel.run(problem_);
    judgement.unchanged = same_bits(outputs, right_);
    judge_as_published(outputs, judgement);
  } catch (const std::exception&) {
    kill_by("runs to its end", judgement);
    return judgement;
  }
  judge_run(kernel, judgement);
  judge_laws(kernel, judgement);
  return judgement;
}

}  // namespace deltaproof
