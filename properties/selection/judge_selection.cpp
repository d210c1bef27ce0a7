#include "properties/selection/judge_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "properties/selection/history.hpp"
#include "properties/selection/legitimate.hpp"

namespace deltaproof {
namespace {

class Judge {
 public:
  Judge(const SelectionEvidence& evidence, Index limit) : e_(evidence), limit_(limit) {
    for (std::size_t t = 0; t < e_.exact.size(); ++t) radius_.push_back(e_.reference_radius[t] + e_.kernel_radius[t]);
    intervals_ = score_intervals(e_.exact, radius_);
  }

  SelectionJudgement run() {
    if (e_.scores != nullptr) judge_scores();
    if (result_.status == SelectionStatus::failed && e_.sets == nullptr) return result_;
    count_ambiguous();
    if (e_.sets != nullptr) {
      judge_sets();
    } else if (exact_scores()) {
      result_.sets = blockwise_sets(*e_.scores, e_.w, e_.block);
      result_.known = true;
    } else {
      enumerate();
    }
    return result_;
  }

 private:
  bool exact_scores() const {
    return e_.scores != nullptr && e_.exported_in.significant_bits >= e_.ranked_in.significant_bits;
  }

  void fail(const SelectionFault& fault) {
    if (result_.status != SelectionStatus::failed) result_.fault = fault;
    result_.status = SelectionStatus::failed;
  }

  void judge_scores() {
    if (const auto nan = unranked_score(*e_.scores)) return fail(*nan);
    result_.scores_compared = static_cast<Index>(e_.scores->size());
    for (std::size_t t = 0; t < e_.scores->size(); ++t) {
      const double score = (*e_.scores)[t], error = std::abs(score - e_.exact[t]);
      const double ratio = error == 0 ? 0 : error / radius_[t];
      if (result_.worst_token < 0 || ratio > result_.worst_score) {
        result_.worst_score = ratio;
        result_.worst_token = static_cast<Index>(t);
      }
      if (!(error > radius_[t])) continue;
      ++result_.scores_outside;
      fail({-1, static_cast<Index>(t), fmt::format("the score of token {} is {}, the right one {}: {:.3g} apart, {:.3g} allowed",
                                                   t, score, e_.exact[t], error, radius_[t])});
    }
    if (!exact_scores() && result_.status != SelectionStatus::failed) narrow_by_scores();
  }

  // What a score was before it was rounded to the exported type.
  void narrow_by_scores() {
    std::vector<double> half;
    for (const double score : *e_.scores) half.push_back(half_ulp(e_.exported_in, score));
    intervals_ = intersection(intervals_, score_intervals(*e_.scores, half));
  }

  void judge_sets() {
    result_.known = true;
    result_.sets = *e_.sets;
    result_.sets_compared = static_cast<Index>(e_.sets->size());
    if (const auto returned = returned_token(*e_.sets, e_.block)) return fail(*returned);
    if (exact_scores()) {
      if (const auto wrong = not_exact_top_w(*e_.scores, *e_.sets, e_.w, e_.block)) return fail(*wrong);
    } else if (const auto found = contradiction(intervals_, *e_.sets, e_.block)) {
      return fail({found->block, found->kept,
                   fmt::format("token {} is kept for block {} with a score of at most {}, though token {}, which has left, has "
                               "at least {}", found->kept, found->block, found->highest, found->evicted, found->lowest)});
    }
    count_differences();
  }

  void count_differences() {
    if (unranked_score(e_.exact)) return;
    const CacheSets right = blockwise_sets(e_.exact, e_.w, e_.block);
    for (std::size_t n = 0; n < right.size(); ++n) {
      for (const Index t : (*e_.sets)[n]) {
        result_.legitimate_differences += !std::binary_search(right[n].begin(), right[n].end(), t);
      }
    }
  }

  // Calls visit(candidates) with the tokens before each block that may be among its set.
  template <class Visit>
  void over_blocks(Visit&& visit) const {
    std::vector<Index> pool;
    for (Index n = 0; n < block_count(intervals_.tokens(), e_.block); ++n) {
      visit(pool);
      for (Index t = n * e_.block; t < std::min((n + 1) * e_.block, intervals_.tokens()); ++t) pool.push_back(t);
      // What is out for certain stays out: more tokens only rank before it.
      for (const Index t : must_out(intervals_, pool, e_.w)) pool.erase(std::lower_bound(pool.begin(), pool.end(), t));
    }
  }

  void count_ambiguous() {
    over_blocks([this](const std::vector<Index>& pool) {
      std::map<double, Index> same;
      const std::vector<Index> in = must_in(intervals_, pool, e_.w);
      for (const Index t : pool) ++same[e_.exact[static_cast<std::size_t>(t)]];
      for (const Index t : pool) {
        if (std::binary_search(in.begin(), in.end(), t)) continue;
        ++result_.ambiguous;
        result_.tied += same[e_.exact[static_cast<std::size_t>(t)]] > 1;
      }
    });
  }

  void enumerate() {
    bool one = true;
    over_blocks([&](const std::vector<Index>& pool) {
      if (result_.status != SelectionStatus::passed) return;
      const Index n = static_cast<Index>(result_.possible.size());
      auto sets = possible_sets(intervals_, pool, e_.w, limit_);
      if (!sets) {
        result_.status = SelectionStatus::uninformative;
        result_.why =
            fmt::format("more than {} sets are legitimate for block {}, and the kernel's own was not exported", limit_, n);
        return;
      }
      one = one && sets->size() == 1;
      result_.possible.push_back(std::move(*sets));
    });
    if (result_.status != SelectionStatus::passed) return result_.possible.clear();
    if (!unranked_score(e_.exact)) result_.sets = blockwise_sets(e_.exact, e_.w, e_.block);
    result_.known = one;
    if (!one) return;
    result_.sets.clear();
    for (auto& sets : result_.possible) result_.sets.push_back(std::move(sets.front()));
    result_.possible.clear();
  }

  const SelectionEvidence& e_;
  Index limit_;
  std::vector<double> radius_;
  ScoreIntervals intervals_;
  SelectionJudgement result_;
};

}  // namespace

SelectionJudgement judge_selection(const SelectionEvidence& evidence, Index limit) {
  return Judge(evidence, limit).run();
}

}  // namespace deltaproof
