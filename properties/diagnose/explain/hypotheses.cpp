#include "properties/diagnose/explain/hypotheses.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "kernels/given_outputs.hpp"
#include "properties/accuracy/units.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/diagnose/explain/hypotheses_search.hpp"
#include "properties/diagnose/explain/more_hypotheses.hpp"
#include "reference/arithmetic/texts.hpp"

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

/// What came of a defect, and in which search.
struct Found {
  PlacedDefect candidate;
  std::size_t pass = 0;
};

// By what is left of the error; of two that leave the same, what was held against the run first.
bool ranks_before(const Found& x, const Found& y) {
  const auto rank = [](const Found& f) {
    const Tally& t = f.candidate.held.hypothesis;
    const bool fits = t.outside == 0;
    return std::tuple(!fits, fits && t.unequal > 0, -f.candidate.held.explained(), t.squares, f.pass,
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
    search(kernels.kernels);
    rank();
    return std::move(result_);
  }

 private:
  using Defects = std::vector<const Defect*>;

  // Each defect in the first kernel in which it has a place.
  void search(std::vector<HypothesisKernel>& kernels) {
    std::vector<Defects> of_kernel(kernels.size());
    for (const auto* list : {&defect_catalogue(), &more_hypotheses()}) {
      for (const Defect& defect : *list) assign(defect, kernels, of_kernel);
    }
    std::size_t count = 0;
    for (const Defects& defects : of_kernel) count += defects.size();
    result_.tried = static_cast<std::int64_t>(count);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const double share = static_cast<double>(of_kernel[k].size()) / static_cast<double>(count);
      hold(kernels[k], of_kernel[k], share);
    }
    if (kernels.front().exact && !fits()) hold_without_roundings(kernels.front(), of_kernel.front());
  }

  // Faults in kernels begin each chunk with the recorded state, where there is one; outputs that were damaged, and whole
  // runs, are of a run that makes its own states.
  void hold(const HypothesisKernel& kernel, const Defects& defects, double share) {
    const bool teacher = problem_.options().rule != Rule::hola &&
                         states_are_exact(choose_bound(problem_.options().arithmetic, problem_), outputs_);
    Defects of_kernels, of_outputs;
    for (const Defect* defect : defects) {
      (is_of_outputs(*defect) ? of_outputs : of_kernels).push_back(defect);
      if (teacher && std::holds_alternative<DamageOutputs>(defect->edit)) of_kernels.push_back(defect);
    }
    if (!teacher) return hold({problem_, outputs_}, kernel, blocks_, defects, share);
    hold({problem_, outputs_, true}, kernel, blocks_, of_kernels, share);
    if (kernel.exact) hold({problem_, outputs_}, kernel, blocks_, of_outputs, 0);
    if (!kernel.exact && !of_outputs.empty() && !fits()) hold_whole_runs(kernel, of_outputs);
  }

  // A stand-in's run from the initial state is off from the recorded one by what is allowed of a whole run.
  void hold_whole_runs(const HypothesisKernel& kernel, const Defects& defects) {
    Outputs outputs = outputs_;
    outputs.tensors.erase("chunk_states");
    AccuracyOptions options;
    options.conformity = false;
    options.threads = options_.threads;
    Measured measured = measure(problem_, GivenOutputs(problem_.options().arithmetic, outputs), options);
    std::ranges::move(blocks_of_the_rest(problem_, outputs, measured.blocks), std::back_inserter(measured.blocks));
    hold({problem_, outputs}, kernel, measured.blocks, defects, 0);
  }

  // A kernel of another order than the declared one has other bits, whatever is wrong with it.
  void hold_without_roundings(const HypothesisKernel& exact, const Defects& defects) {
    const bool recurrent = find_text(exact.declared.text)->products.empty();
    const std::optional<HypothesisKernel> kernel = without_roundings(problem_, recurrent);
    if (!kernel) return;
    Defects placed;
    std::ranges::copy_if(defects, std::back_inserter(placed), [&](const Defect* defect) {
      return why_not(*defect, problem_, kernel->declared).empty();
    });
    hold(*kernel, placed, 0);
    if (!fits()) return;
    result_.kernel = kernel->name;
    result_.assumed = fmt::format("no defect gives the bits of {}", exact.name);
  }

  void hold(const RecordedRun& run, const HypothesisKernel& kernel, const std::vector<MeasuredBlock>& blocks,
            const Defects& defects, double share) {
    if (defects.empty()) return;
    const auto progress = [&](double part) {
      if (options_.progress && share > 0) options_.progress(done_ + share * part);
    };
    try {
      HypothesisSearch search(run, kernel, blocks, options_.threads);
      for (PlacedDefect& found : search.best_of(defects, progress)) found_.push_back({std::move(found), passes_});
    } catch (const UnrankedScore& error) {
      result_.assumed = fmt::format("even without a defect {} has no answer here: {}", kernel.name, error.what());
    }
    done_ += share;
    ++passes_;
  }

  bool fits() const {
    return std::ranges::any_of(found_, [](const Found& f) { return f.candidate.held.hypothesis.outside == 0; });
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

  // What gives the same bits is one hypothesis. Of a defect that was tried in several ways the best one counts.
  void rank() {
    std::ranges::stable_sort(found_, ranks_before);
    std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> places;
    std::set<const Defect*> known;
    for (const Found& found : found_) {
      const PlacedDefect& c = found.candidate;
      if (!known.insert(c.defect).second) continue;
      const auto [at, is_new] = places.try_emplace({found.pass, c.held.hypothesis.hash}, result_.ranked.size());
      if (!is_new) {
        result_.ranked[at->second].equivalents.push_back(c.defect);
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
  std::size_t passes_ = 0;
  double done_ = 0;
  Hypotheses result_;
};

}  // namespace

Hypotheses hypotheses(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
                      const Measured& measured, const HypothesesOptions& options) {
  return Explanation(problem, outputs, declared, measured, options).made();
}

}  // namespace deltaproof
