#include "properties/accuracy/fitting.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

// Candidates are first tried on the units where the declaration is furthest off: on one, then on a few.
constexpr std::size_t probed_units = 3;
constexpr int depth = 3;
constexpr std::size_t fits_wanted = 3;

struct Candidate {
  Declared declared;
  std::int64_t bad = std::numeric_limits<std::int64_t>::max();  // on the probed units
};

class Search {
 public:
  Search(const ConformityContext& context, const std::vector<Unit>& units, Declared start, bool by_bits, int threads)
      : c_(context), units_(units), start_(std::move(start)), by_bits_(by_bits), threads_(threads),
        probe_(worst_units()) {}

  std::optional<Fit> layout() const {
    std::vector<Candidate> candidates;
    for (const Declared& declared : autotuned_layouts(start_)) candidates.push_back({declared});
    std::vector<Fit> fits = confirmed(tried(std::move(candidates)));
    if (fits.empty()) return std::nullopt;
    return std::move(fits.front());
  }

  std::vector<Fit> run() {
    Declared from = start_;
    std::int64_t bad_so_far = std::numeric_limits<std::int64_t>::max();
    for (int round = 0; round < depth; ++round) {
      std::vector<Candidate> candidates = tried(candidates_from(from, round == 0));
      const std::vector<Fit> fits = confirmed(candidates);
      if (!fits.empty()) return fits;
      if (candidates.empty() || candidates.front().bad >= bad_so_far) return {};
      from = candidates.front().declared;
      bad_so_far = candidates.front().bad;
    }
    return {};
  }

 private:
  ConformityContext with(const Declared& declared, bool pin, bool bits) const {
    return {c_.problem, c_.outputs, resolve_for(c_.problem, c_.outputs, declared), pin, bits};
  }

  // Values outside PIN, or unequal bits.
  std::int64_t badness(const Declared& declared, const std::vector<Unit>& units) const {
    const Conformity found = judge_conformity(with(declared, !by_bits_, by_bits_), units, threads_);
    return by_bits_ ? found.bits.unequal : found.pin.violations;
  }

  std::vector<Unit> worst_units() const {
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      order.emplace_back(-badness(start_, {units_[i]}), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<Unit> worst;
    for (std::size_t i = 0; i < std::min(order.size(), probed_units); ++i) worst.push_back(units_[order[i].second]);
    return worst;
  }

  std::vector<Candidate> candidates_from(const Declared& from, bool built_in_too) const {
    std::vector<Candidate> list;
    const auto add = [&](const Declared& declared) {
      if (declared == c_.resolved.declared || declared == from) return;
      for (const Candidate& known : list) {
        if (known.declared == declared) return;
      }
      list.push_back({declared});
    };
    if (built_in_too) {
      for (const TextInfo& text : text_table()) {
        std::optional<Declared> declared = built_in(text.name, c_.problem.options().rule);
        if (!declared) continue;
        declared->mma = from.mma;
        add(*declared);
      }
    }
    for (const Variation& variation : variations(from)) {
      if (by_bits_ || variation.rounds) add(variation.declared);
    }
    return list;
  }

  // The best on the probed units first. Only those without a bad value on the first are tried on the others.
  std::vector<Candidate> tried(std::vector<Candidate> candidates) const {
    const std::vector<Unit> first(probe_.begin(), probe_.begin() + std::min<std::ptrdiff_t>(1, std::ssize(probe_)));
    const std::vector<Unit> others(probe_.begin() + std::ssize(first), probe_.end());
    for (Candidate& candidate : candidates) {
      candidate.bad = badness(candidate.declared, first);
      if (candidate.bad == 0) candidate.bad = badness(candidate.declared, others);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& x, const Candidate& y) { return x.bad < y.bad; });
    return candidates;
  }

  // Those without a bad value on all units.
  std::vector<Fit> confirmed(const std::vector<Candidate>& candidates) const {
    const bool emulated = no_emulation(c_.resolved.declared, c_.problem.options()).empty();
    std::vector<Fit> fits;
    for (const Candidate& candidate : candidates) {
      if (candidate.bad > 0) break;
      Conformity found = judge_conformity(with(candidate.declared, true, emulated), units_, threads_);
      if (found.pin.violations > 0 || (by_bits_ && found.bits.unequal > 0)) continue;
      std::string name = describe_declared(candidate.declared, c_.problem.options().rule);
      const std::string changed = difference(c_.resolved.declared, candidate.declared);
      const bool same_text = candidate.declared.text == c_.resolved.declared.text;
      if (same_text && !name.ends_with(changed)) name += " (" + changed + ")";
      fits.push_back({candidate.declared, std::move(name), std::move(found)});
    }
    std::stable_sort(fits.begin(), fits.end(), [](const Fit& x, const Fit& y) {
      return x.conformity.bits.unequal < y.conformity.bits.unequal;
    });
    // If some declaration gives every bit, those that do not are ruled out as well.
    const auto not_exact = [](const Fit& fit) { return fit.conformity.bits.unequal > 0; };
    if (emulated && !fits.empty() && !not_exact(fits.front())) std::erase_if(fits, not_exact);
    if (fits.size() > fits_wanted) fits.resize(fits_wanted);
    return fits;
  }

  const ConformityContext& c_;
  const std::vector<Unit>& units_;
  Declared start_;
  bool by_bits_;
  int threads_;
  std::vector<Unit> probe_;
};

}  // namespace

std::vector<Fit> declarations_that_fit(const ConformityContext& context, const std::vector<Unit>& units,
                                       bool by_bits, int threads) {
  std::vector<Fit> fits = Search(context, units, context.resolved.declared, by_bits, threads).run();
  if (by_bits || fits.empty() || !context.bits || fits.front().conformity.bits.unequal == 0) return fits;
  // PIN is satisfied, bits are not: an order may be another, too.
  std::vector<Fit> closer = Search(context, units, fits.front().declared, true, threads).run();
  return closer.empty() ? fits : closer;
}

std::optional<Fit> autotuned_layout(const ConformityContext& context, const std::vector<Unit>& units, int threads) {
  if (find_text(context.resolved.declared.text)->autotuned.empty()) return std::nullopt;
  return Search(context, units, context.resolved.declared, true, threads).layout();
}

std::string describe_declared(const Declared& declared, Rule rule) {
  const std::optional<Declared> base = built_in(declared.text, rule);
  if (!base || *base == declared) return "the built-in " + declared.text;
  return declared.text + " with " + difference(*base, declared);
}

}  // namespace deltaproof
