#include "properties/diagnose/explain/hypotheses.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "properties/accuracy/units.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/diagnose/explain/hypotheses_search.hpp"
#include "properties/diagnose/explain/more_hypotheses.hpp"

namespace deltaproof {
namespace {

bool is_bad(const std::vector<MeasuredBlock>& blocks) {
  return std::ranges::any_of(blocks, [](const MeasuredBlock& block) { return block.is_bad(); });
}

// What no verdict rests on may be wrong, too: a row of the pool.
bool is_right(const Measured& measured, const std::vector<MeasuredBlock>& rest) {
  const Status status = measured.verdict.status;
  const bool passed = status == Status::passed || status == Status::skipped;
  const auto differs = [](const MeasuredBlock& block) { return block.value != block.expected; };
  return passed && !is_bad(measured.blocks) && std::ranges::none_of(rest, differs);
}

/// A defect, the kernel it was put into and what came of it.
struct Found {
  Candidate candidate;
  std::size_t kernel = 0;
};

// By what is left of the error; of two that give the same, the kernel that was declared goes first.
bool ranks_before(const Found& x, const Found& y) {
  const auto rank = [](const Found& f) {
    const Tally& t = f.candidate.held.hypothesis;
    const bool fits = t.outside == 0;
    return std::tuple(!fits, fits && t.unequal > 0, -f.candidate.held.explained(), t.squares, f.kernel,
                      f.candidate.defect);
  };
  return rank(x) < rank(y);
}

class Explanation {
 public:
  Explanation(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
              const Measured& measured, const HypothesesOptions& options)
      : problem_(problem), outputs_(outputs), measured_(measured), options_(options) {
    declared_ = declared ? declared : built_in(problem.options().arithmetic, state_rule(problem.options()).rule);
  }

  Hypotheses made() {
    std::vector<MeasuredBlock> rest = blocks_of_the_rest(problem_, outputs_, measured_.blocks);
    if (is_right(measured_, rest)) return {};
    HypothesisKernels kernels = kernels_of_hypotheses(problem_, declared_);
    result_.assumed = kernels.assumed;
    if (kernels.kernels.empty()) return std::move(result_);
    result_.kernel = kernels.kernels.front().name;
    blocks_ = measured_.blocks;
    std::ranges::move(rest, std::back_inserter(blocks_));
    const bool teacher = states_are_exact(choose_bound(problem_.options().arithmetic, problem_.state_part()), outputs_);
    const RecordedRun run{problem_, outputs_, teacher && problem_.options().rule != Rule::hola};
    search(run, kernels.kernels);
    rank();
    return std::move(result_);
  }

 private:
  // Each defect in the first kernel in which it has a place.
  void search(const RecordedRun& run, const std::vector<HypothesisKernel>& kernels) {
    std::vector<std::vector<const Defect*>> of_kernel(kernels.size());
    for (const auto* list : {&defect_catalogue(), &more_hypotheses()}) {
      for (const Defect& defect : *list) assign(defect, kernels, of_kernel);
    }
    std::size_t count = 0;
    for (const auto& defects : of_kernel) count += defects.size();
    double done = 0;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (of_kernel[k].empty()) continue;
      const double share = static_cast<double>(of_kernel[k].size()) / static_cast<double>(count);
      const auto progress = [this, done, share](double part) {
        if (options_.progress) options_.progress(done + share * part);
      };
      HypothesisSearch search(run, kernels[k], blocks_, options_.threads);
      for (Candidate& found : search.best_of(of_kernel[k], progress)) found_.push_back({std::move(found), k});
      done += share;
    }
    result_.tried = static_cast<std::int64_t>(count);
  }

  void assign(const Defect& defect, const std::vector<HypothesisKernel>& kernels,
              std::vector<std::vector<const Defect*>>& of_kernel) {
    if (!defect.equivalent.empty()) return;
    if (is_random(defect)) {
      return result_.untried.emplace_back(&defect, "its values are random: no run can be told to have it"), void();
    }
    std::string why;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const std::string lack = why_not(defect, problem_, kernels[k].declared);
      if (lack.empty()) return of_kernel[k].push_back(&defect);
      if (why.empty()) why = lack;
    }
    result_.untried.emplace_back(&defect, why);
  }

  // What gives the same bits is one hypothesis.
  void rank() {
    std::ranges::stable_sort(found_, ranks_before);
    std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> places;
    for (const Found& found : found_) {
      const Candidate& c = found.candidate;
      const auto [at, is_new] = places.try_emplace({found.kernel, c.held.hypothesis.hash}, result_.ranked.size());
      if (!is_new) {
        Hypothesis& same = result_.ranked[at->second];
        const bool known = same.defect == c.defect || std::ranges::count(same.equivalents, c.defect) > 0;
        if (!known) same.equivalents.push_back(c.defect);
        continue;
      }
      const Tally& t = c.held.hypothesis;
      result_.ranked.push_back({c.defect, c.place.name, c.held.explained(), t.compared, t.outside, t.unequal, {}});
    }
  }

  const Problem& problem_;
  const Outputs& outputs_;
  const Measured& measured_;
  const HypothesesOptions& options_;
  std::optional<Declared> declared_;
  std::vector<MeasuredBlock> blocks_;
  std::vector<Found> found_;
  Hypotheses result_;
};

}  // namespace

Hypotheses hypotheses(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
                      const Measured& measured, const HypothesesOptions& options) {
  return Explanation(problem, outputs, declared, measured, options).made();
}

}  // namespace deltaproof
