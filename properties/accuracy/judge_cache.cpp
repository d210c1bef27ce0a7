#include "properties/accuracy/judge_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace deltaproof {
namespace {

Location place(const Problem& problem, const Sequence& sequence, std::int64_t head, const char* tensor,
               const SelectionFault& fault) {
  Location where{.tensor = tensor};
  where.sequence = sequence.index;
  where.head = head;
  where.token = fault.block >= 0 ? fault.block * problem.options().hola.cache_block : fault.token;
  return where;
}

// One head of one sequence.
class HeadJudge {
 public:
  HeadJudge(const Problem& problem, const Outputs& outputs, const Sequence& sequence, std::int64_t head,
            CacheFindings& findings)
      : problem_(problem), outputs_(outputs), sequence_(sequence), head_(head), findings_(findings) {}

  void judge(const HeadScores& scores) {
    const std::optional<CacheSets> sets = valid_sets();
    const HolaOptions& options = problem_.options().hola;
    // Weights that have been accumulated in the end are not those that a block's sets were chosen by.
    const Tensor* exported = options.score == CacheScore::attention ? nullptr : outputs_.find("scores");
    SelectionEvidence evidence;
    evidence.w = options.cache_size, evidence.block = options.cache_block;
    evidence.exact = scores.exact;
    evidence.reference_radius = scores.reference_radius;
    evidence.kernel_radius = scores.kernel_radius;
    evidence.ranked_in = scores.ranked_in;
    std::vector<double> own;
    if (exported != nullptr) own = exported_scores(*exported, sequence_, head_);
    if (exported != nullptr && !overflowed(own, scores)) {
      evidence.scores = &own;
      evidence.exported_in = dtype_format(exported->dtype);
    }
    if (sets) evidence.sets = &*sets;
    SelectionJudgement judgement = judge_selection(evidence);
    add(judgement);
    if (evidence.scores != nullptr && judgement.worst_score > findings_.worst_ratio) add_worst(judgement, evidence);
    // A head whose scores have no order has no sets either: it has failed, or nothing is known of it.
    judgement.sets.resize(static_cast<std::size_t>(block_count(sequence_.length, options.cache_block)));
    findings_.heads.emplace(std::pair(sequence_.index, head_), std::move(judgement));
  }

 private:
  std::optional<CacheSets> valid_sets() {
    const Tensor* selected = outputs_.find("selected");
    if (selected == nullptr) return std::nullopt;
    ExportedSets sets = exported_sets(*selected, problem_, sequence_, head_);
    if (!sets.fault) return std::move(sets.sets);
    fail("selected", *sets.fault);
    return std::nullopt;
  }

  // A NaN where nothing is known of the right score: states that a right kernel has may have overflowed before.
  bool overflowed(const std::vector<double>& own, const HeadScores& scores) {
    const std::optional<SelectionFault> nan = unranked_score(own);
    if (!nan || scores.kernel_radius[static_cast<std::size_t>(nan->token)] <= std::numeric_limits<double>::max()) return false;
    if (findings_.uninformative.empty()) {
      findings_.uninformative = fmt::format("sequence {}, head {}: the score of token {} is NaN, and nothing is known of the right one",
                                            sequence_.index, head_, nan->token);
    }
    return true;
  }

  void add(const SelectionJudgement& judgement) {
    findings_.scores += judgement.scores_compared;
    findings_.outside += judgement.scores_outside;
    findings_.sets += judgement.sets_compared;
    findings_.ambiguous += judgement.ambiguous;
    findings_.legitimate_differences += judgement.legitimate_differences;
    const bool of_scores = judgement.scores_outside > 0;
    if (judgement.status == SelectionStatus::failed) {
      fail(of_scores ? "scores" : "selected", judgement.fault.value_or(SelectionFault{}));
    }
    if (judgement.status != SelectionStatus::uninformative) return;
    findings_.unknown_sets = true;
    if (findings_.uninformative.empty()) {
      findings_.uninformative = fmt::format("sequence {}, head {}: {}", sequence_.index, head_, judgement.why);
    }
  }

  void add_worst(const SelectionJudgement& judgement, const SelectionEvidence& evidence) {
    const auto t = static_cast<std::size_t>(judgement.worst_token);
    findings_.worst_ratio = judgement.worst_score;
    findings_.worst = place(problem_, sequence_, head_, "scores", {-1, judgement.worst_token, ""});
    findings_.value = (*evidence.scores)[t];
    findings_.expected = evidence.exact[t];
    findings_.bound = evidence.reference_radius[t] + evidence.kernel_radius[t];
  }

  void fail(const char* tensor, const SelectionFault& fault) {
    if (!findings_.failure.empty()) return;
    findings_.where = place(problem_, sequence_, head_, tensor, fault);
    findings_.failure = fmt::format("{}: {}", to_string(findings_.where), fault.what);
  }

  const Problem& problem_;
  const Outputs& outputs_;
  const Sequence& sequence_;
  std::int64_t head_;
  CacheFindings& findings_;
};

}  // namespace

CacheFindings judge_cache(const Problem& problem, const Outputs& outputs, const ScoresOfHeads& scores) {
  CacheFindings findings;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0 || sequence.length == 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      HeadJudge(problem, outputs, sequence, head, findings).judge(scores.at({sequence.index, head}));
    }
  }
  if (problem.options().hola.score == CacheScore::attention) {
    findings.uninformative = "a selection by accumulated attention is not judged, only the reads from the sets";
  }
  return findings;
}

namespace {

void report_worst(const CacheFindings& findings, Verdict& verdict) {
  verdict.worst_ratio = findings.worst_ratio;
  verdict.worst = findings.worst;
  verdict.value = findings.value, verdict.expected = findings.expected;
  verdict.error = std::abs(findings.value - findings.expected);
  verdict.bound_value = findings.bound;
  verdict.terms.clear();  // those of another place
}

}  // namespace

void report_cache(const CacheFindings& findings, Verdict& verdict) {
  verdict.compared += findings.scores;
  verdict.violations += findings.outside;
  if (findings.worst_ratio > verdict.worst_ratio) report_worst(findings, verdict);
  verdict.notes.push_back(fmt::format(
      "cache: {} scores and {} sets held against the right ones; {} tokens might be kept or not, {} are kept that the "
      "exact scores would evict, all within what scores may be off",
      findings.scores, findings.sets, findings.ambiguous, findings.legitimate_differences));
  if (!findings.failure.empty()) {
    verdict.status = Status::failed;
    verdict.reason = findings.failure;
    verdict.has_first_bad = true;
    verdict.first_bad = findings.where;
    return;
  }
  const bool worse = verdict.status == Status::passed || verdict.status == Status::suspect;
  if (findings.uninformative.empty() || !worse) return;
  verdict.status = Status::uninformative;
  verdict.reason = findings.uninformative;
}

}  // namespace deltaproof
