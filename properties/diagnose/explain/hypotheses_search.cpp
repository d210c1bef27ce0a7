#include "properties/diagnose/explain/hypotheses_search.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "properties/in_parallel.hpp"

namespace deltaproof {
namespace {

constexpr double least_share = 0.02;         // of the error near its start, to be tried on all of the run
constexpr std::size_t most_answers = 12;     // different ones that are tried on all of it
constexpr std::size_t most_candidates = 48;  // that give them

bool better(const PlacedDefect& x, const PlacedDefect& y) {
  const auto rank = [](const PlacedDefect& c) {
    const Tally& t = c.held.hypothesis;
    return std::tuple(t.outside > 0, t.outside == 0 && t.unequal > 0, -c.held.explained(), t.squares);
  };
  return rank(x) < rank(y);
}

constexpr std::size_t most_runs_of_a_cache = 4;  // of a long run: places that are tried of one defect

// A hypothesis that ends in an error, such as a score that is no number, gave no outputs.
template <class Hold>
Held unless_it_ends(Hold hold) try {
  return hold();
} catch (const std::runtime_error&) {
  return {};
}

Index chunks_of(const Window& window) { return window.end; }

}  // namespace

HypothesisSearch::HypothesisSearch(const RecordedRun& run, const HypothesisKernel& kernel,
                                   const std::vector<MeasuredBlock>& blocks, int threads)
    : run_(run), kernel_(kernel), threads_(threads), whole_(run, kernel, whole_windows(run.problem, blocks), threads) {
  if (can_tell()) find_places();
}

// Where every value is within what is allowed, a hypothesis has nothing to show but the run's bits.
bool HypothesisSearch::can_tell() const {
  const Tally right = whole_.right();
  return right.outside > 0 || (kernel_.exact && right.unequal > 0);
}

// Where the run goes wrong: of values out of bound; of a kernel to the bit also of bits, which may begin earlier.
void HypothesisSearch::find_places() {
  const Index size = run_.problem.options().chunk_size;
  if (auto focus = focus_of_bound(run_.problem, whole_.windows())) foci_.push_back(*std::move(focus));
  if (kernel_.exact) {
    if (auto focus = focus_of_bits(run_.problem, whole_)) foci_.push_back(*std::move(focus));
  }
  std::vector<Window> screen;
  for (const Focus& focus : foci_) {
    const Window& window = whole_.windows()[focus.window];
    const Index before = std::max<Index>(focus.chunk - 1, 0), end = std::min(focus.chunk + 2, chunks_of(window));
    near_.push_back(std::make_unique<HypothesisTrial>(run_, kernel_, std::vector{narrowed(window, before, end, size)}, threads_));
    if (screen.empty()) screen.push_back(narrowed(window, focus.chunk, end, size));
  }
  if (!screen.empty()) screen_ = std::make_unique<HypothesisTrial>(run_, kernel_, std::move(screen), threads_);
}

Fault HypothesisSearch::fault_of(const PlacedDefect& candidate) const {
  Generator draw = Generator::steered(candidate.place.draws);
  return std::get<MakeFault>(candidate.defect->edit)(kernel_.state, draw);
}

Held HypothesisSearch::held(const PlacedDefect& candidate) const {
  return unless_it_ends([&] {
    if (is_of_outputs(*candidate.defect)) {
      return whole_.hold(wrong_outputs(*candidate.defect, candidate.place, kernel_, *outputs_));
    }
    if (const auto* of_cache = std::get_if<HolaFault>(&candidate.defect->edit)) return whole_.hold(*of_cache);
    return whole_.hold(fault_of(candidate));
  });
}

Held HypothesisSearch::screened(const PlacedDefect& candidate) const {
  const bool cached = run_.problem.options().rule == Rule::hola;
  if (is_of_outputs(*candidate.defect) || cached || !screen_) return held(candidate);
  return screen_->hold(fault_of(candidate));
}

// A run with a cache is made anew for every hypothesis, all heads of it.
bool HypothesisSearch::is_long() const {
  const Dimensions& d = run_.problem.dims();
  return d.B * d.T * d.HV > 1024;
}

// A place where the defect explains most of what is wrong around it.
PlacedDefect HypothesisSearch::best_place(const std::vector<PlacedDefect>& places) const {
  PlacedDefect best;
  for (const PlacedDefect& place : places) {
    if (best.defect == nullptr || better(place, best)) best = place;
  }
  return best;
}

std::vector<PlacedDefect> HypothesisSearch::placed(const Defect& defect) const {
  if (lies_everywhere(defect)) return {{&defect, {}, {}}};
  std::vector<PlacedDefect> found;
  for (std::size_t f = 0; f < foci_.size(); ++f) {
    const Window& window = whole_.windows()[foci_[f].window];
    std::vector<PlacedDefect> places;
    const bool cached = run_.problem.options().rule == Rule::hola;
    for (DefectPlace& place : places_of(defect, kernel_.problem, run_.outputs, window, foci_[f])) {
      if (cached && places.size() == most_runs_of_a_cache && is_long()) break;
      PlacedDefect candidate{&defect, std::move(place), {}};
      candidate.held = is_of_outputs(defect) || cached ? held(candidate) : near_[f]->hold(fault_of(candidate));
      places.push_back(std::move(candidate));
    }
    if (!places.empty()) found.push_back(best_place(places));
  }
  return found;
}

// Those that explain most where the error starts, all that give the same there among them.
std::vector<PlacedDefect> HypothesisSearch::promising(std::vector<PlacedDefect> candidates) const {
  std::erase_if(candidates, [](const PlacedDefect& c) {
    return c.held.changes_nothing() || !(c.held.explained() > least_share);
  });
  std::ranges::stable_sort(candidates, better);
  std::vector<std::uint64_t> answers;
  std::vector<PlacedDefect> kept;
  for (PlacedDefect& candidate : candidates) {
    const std::uint64_t hash = candidate.held.hypothesis.hash;
    if (std::ranges::find(answers, hash) == answers.end()) {
      if (answers.size() == most_answers) continue;
      answers.push_back(hash);
    }
    if (kept.size() < most_candidates) kept.push_back(std::move(candidate));
  }
  return kept;
}

std::vector<PlacedDefect> HypothesisSearch::best_of(const std::vector<const Defect*>& defects,
                                                 const std::function<void(double)>& progress) {
  if (!can_tell()) return {};
  const auto share = [&](double from, double to) -> std::function<void(double)> {
    if (!progress) return {};
    return [&progress, from, to](double done) { progress(from + (to - from) * done); };
  };
  if (std::ranges::any_of(defects, [](const Defect* d) { return is_of_outputs(*d); })) {
    outputs_ = std::make_unique<StandInKernel>(whole_, run_.outputs);
  }
  std::vector<std::vector<PlacedDefect>> all(defects.size());
  in_parallel(defects.size(), threads_, [&](std::size_t i) {
    all[i] = placed(*defects[i]);
    for (PlacedDefect& candidate : all[i]) candidate.held = screened(candidate);
  }, share(0, 0.7));
  std::vector<PlacedDefect> candidates;
  for (auto& of_defect : all) std::ranges::move(of_defect, std::back_inserter(candidates));
  candidates = promising(std::move(candidates));
  in_parallel(candidates.size(), threads_, [&](std::size_t i) {
    candidates[i].held = held(candidates[i]);
  }, share(0.7, 1));
  const bool by_bits = whole_.right().outside == 0;
  std::erase_if(candidates, [by_bits](const PlacedDefect& c) {
    if (c.held.changes_nothing() || !(c.held.explained() > 0)) return true;
    return by_bits && c.held.hypothesis.unequal > 0;
  });
  std::ranges::stable_sort(candidates, better);
  return candidates;
}

}  // namespace deltaproof
