#include "properties/accuracy/fitting.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "reference/arithmetic/built_in.hpp"
#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

// Candidates are first tried on the units where the declaration is furthest off: on one, then on a few. A unit without
// recorded states may be long: it is tried as far as its first bad value, and some chunks at least.
constexpr std::size_t probed_units = 3;
constexpr std::int64_t probed_chunks = 4;
constexpr std::int64_t always_affordable = 1 << 17;  // tokens
constexpr int depth = 3;
constexpr std::size_t fits_wanted = 3;

struct Candidate {
  Declared declared;
  std::int64_t bad = std::numeric_limits<std::int64_t>::max();  // on the probed units
  std::int64_t unequal = 0;                                     // bits there, where no value is bad
};

struct ProbedUnit {
  Unit unit;
  HeadInputs inputs;
};

class Search {
 public:
  // `found`: what `start` gives over all units.
  Search(const ConformityContext& context, const std::vector<Unit>& units, Declared start, const Conformity& found,
         bool by_bits, int threads)
      : c_(context), units_(units), start_(std::move(start)), by_bits_(by_bits), threads_(threads),
        emulated_(no_emulation(context.resolved.declared, context.problem).empty()),
        probe_(probed(found.bad)) {
    for (const Unit& unit : units) affordable_ += 2 * unit.length;
    affordable_ = std::max(affordable_, always_affordable);
  }

  bool cut_short() const { return affordable_ < 0; }

  std::optional<Fit> layout() {
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
    return {c_.problem, c_.outputs, resolve_for(c_.problem, c_.outputs, declared), pin, bits, {}, c_.reads};
  }

  // The unit as far as it is tried.
  Unit shortened(const BadUnit& bad) const {
    const std::int64_t chunk = c_.problem.options().chunk_size;
    const std::int64_t first = (by_bits_ ? bad.first_unequal : bad.first_outside) - bad.unit.begin;
    Unit unit = bad.unit;
    unit.length = std::min(unit.length, std::max(probed_chunks, first / chunk + 1) * chunk);
    return unit;
  }

  std::vector<ProbedUnit> probed(std::vector<BadUnit> bad) const {
    const auto rank = [this](const BadUnit& x) {
      return std::tuple(by_bits_ ? -x.unequal : -x.outside, x.unit.sequence->index, x.unit.head, x.unit.begin);
    };
    std::sort(bad.begin(), bad.end(), [&](const BadUnit& x, const BadUnit& y) { return rank(x) < rank(y); });
    std::vector<ProbedUnit> units;
    for (const BadUnit& each : bad) {
      if (units.size() == probed_units || (by_bits_ ? each.unequal : each.outside) == 0) break;
      const HeadInputs head = head_inputs(c_.problem, *each.unit.sequence, each.unit.head);
      const Unit unit = shortened(each);
      units.push_back({unit, inputs_of(c_, unit, head)});
    }
    return units;
  }

  // On the units tried: values outside PIN, or unequal bits; where there is none, how many bits are unequal.
  void probe(Candidate& candidate) {
    std::int64_t bad = 0;
    for (const ProbedUnit& each : probe_) {
      affordable_ -= each.unit.length;
      if (affordable_ < 0) return;  // a candidate that was not tried counts as worse than any
      const Conformity found =
          judge_unit_conformity(with(candidate.declared, !by_bits_, by_bits_), each.unit, each.inputs);
      bad += by_bits_ ? found.bits.unequal : found.pin.violations;
      if (bad > 0) break;
    }
    candidate.bad = bad;
    if (bad > 0 || by_bits_ || !emulated_) return;
    for (const ProbedUnit& each : probe_) {
      candidate.unequal +=
          judge_unit_conformity(with(candidate.declared, false, true), each.unit, each.inputs).bits.unequal;
    }
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
      for (const std::string_view name : built_in_names()) {
        std::optional<Declared> declared = built_in(name, c_.problem.options().rule);
        if (!declared) continue;
        declared->mma = from.mma;
        add(*declared);
      }
    }
    // An o that a kernel rounds to the type of its inputs may have been recorded in a wider one.
    if (!(c_.resolved.stored == c_.resolved.input)) {
      Declared widened = from;
      widened[Point::o] = {PointFormat::input, PointMode::nearest_even};
      add(widened);
    }
    for (const Variation& variation : variations(from)) {
      if (by_bits_ || variation.rounds) add(variation.declared);
    }
    return list;
  }

  // The best on the probed units first. Only those without a bad value on the first are tried on the others.
  std::vector<Candidate> tried(std::vector<Candidate> candidates) {
    for (Candidate& candidate : candidates) probe(candidate);
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
      return std::pair(x.bad, x.unequal) < std::pair(y.bad, y.unequal);
    });
    return candidates;
  }

  // What a declaration gives over all units; nothing if it is ruled out, which is seen early as a rule.
  std::optional<Conformity> conforms(const Declared& declared) const {
    const ConformityContext context = with(declared, true, emulated_);
    Conformity total;
    for (auto from = units_.begin(); from != units_.end();) {
      const auto done = from - units_.begin();
      const auto to = from + std::min(units_.end() - from, std::max<std::ptrdiff_t>(16, done));
      total.merge(judge_conformity(context, std::vector<Unit>(from, to), threads_));
      if (total.pin.violations > 0 || (by_bits_ && total.bits.unequal > 0)) return std::nullopt;
      from = to;
    }
    return total;
  }

  // Those without a bad value on all units.
  std::vector<Fit> confirmed(const std::vector<Candidate>& candidates) const {
    std::vector<Fit> fits;
    for (const Candidate& candidate : candidates) {
      if (candidate.bad > 0 || fits.size() == fits_wanted) break;
      std::optional<Conformity> found = conforms(candidate.declared);
      if (!found) continue;
      std::string name = describe_declared(candidate.declared, c_.problem.options().rule);
      const std::string changed = difference(c_.resolved.declared, candidate.declared);
      const bool same_text = candidate.declared.text == c_.resolved.declared.text;
      if (same_text && !name.ends_with(changed)) name += " (" + changed + ")";
      fits.push_back({candidate.declared, std::move(name), std::move(*found)});
    }
    std::stable_sort(fits.begin(), fits.end(), [](const Fit& x, const Fit& y) {
      return x.conformity.bits.unequal < y.conformity.bits.unequal;
    });
    // If some declaration gives every bit, those that do not are ruled out as well.
    const auto not_exact = [](const Fit& fit) { return fit.conformity.bits.unequal > 0; };
    if (emulated_ && !fits.empty() && !not_exact(fits.front())) std::erase_if(fits, not_exact);
    return fits;
  }

  const ConformityContext& c_;
  const std::vector<Unit>& units_;
  Declared start_;
  bool by_bits_;
  int threads_;
  bool emulated_;
  std::int64_t affordable_ = 0;  // tokens that candidates may still be tried on
  std::vector<ProbedUnit> probe_;
};

}  // namespace

Fits declarations_that_fit(const ConformityContext& context, const std::vector<Unit>& units, const Conformity& found,
                           bool by_bits, int threads) {
  Search search(context, units, context.resolved.declared, found, by_bits, threads);
  std::vector<Fit> fits = search.run();
  if (by_bits || fits.empty() || !context.bits || fits.front().conformity.bits.unequal == 0) {
    return {std::move(fits), search.cut_short()};
  }
  // PIN is satisfied, bits are not: an order may be another, too.
  const Fit& nearest = fits.front();
  std::vector<Fit> closer = Search(context, units, nearest.declared, nearest.conformity, true, threads).run();
  return {closer.empty() ? std::move(fits) : std::move(closer), false};
}

std::optional<Fit> autotuned_layout(const ConformityContext& context, const std::vector<Unit>& units,
                                    const Conformity& found, int threads) {
  if (find_text(context.resolved.declared.text)->autotuned.empty()) return std::nullopt;
  return Search(context, units, context.resolved.declared, found, true, threads).layout();
}

std::string describe_declared(const Declared& declared, Rule rule) {
  const NamedDeclaration base = nearest_built_in(declared, rule);
  const std::string name(base.name), differs = difference(base.declared, declared);
  return differs.empty() ? "the built-in " + name : name + " with " + differs;
}

}  // namespace deltaproof
