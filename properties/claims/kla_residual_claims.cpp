#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

Rational micro() { return Rational(1, 1000000); }

using Factor = std::function<Rational(const Rational& beta, const Rational& energy)>;

/// e+ = factor e, at every point given.
Result residual_after(const std::vector<Step>& instances, const Factor& factor) {
  return search(
      instances,
      [&](const Step& step) -> Fault {
        const RationalVector before = residual(step.before, step);
        const RationalVector after = residual(written(step.before, step, step.eta), step);
        for (std::size_t i = 0; i < before.size(); ++i) {
          const Rational said = factor(step.eta, squared_norm(step.k)) * before[i];
          if (after[i] == said) continue;
          return fmt::format("e = {} becomes {}, not {}", text(before[i]), text(after[i]), text(said));
        }
        return std::nullopt;
      },
      [](const Step& step) { return inputs_of(step, "Skvb"); });
}

Result residual_after_write(const Effort& effort, const Factor& factor) {
  std::vector<Step> instances =
      steps(effort, {.eta = {1, 0, -1, 2, Rational(1, 2), Rational(1, 7)}, .zero_keys = true});
  for (Step& point : proof_grid()) instances.push_back(std::move(point));
  return residual_after(instances, factor);
}

Claim after_write() {
  return {
      "kla.residual-after-write",
      {"kla", "Section 2; Section 3.2", "3, 4", Voice::derived},
      "a write with coefficient beta leaves (1 - beta |k|^2) e of the residual e, whatever beta",
      "",
      "proved: both sides are polynomials, of degree at most 1 in beta, v and each S_i and at most "
      "3 in each k_i, so "
      "equality on the full grid of 256 points proves them equal for dk = 2, dv = 1; every "
      "monomial holds at most two "
      "key channels, so that is every dk; value channels do not meet. Besides: edges and random "
      "steps",
      bound(residual_after_write, Factor([](const Rational& b, const Rational& n) -> Rational { return 1 - b * n; })),
      {{"a write leaves (1 - beta) e", Outcome::refuted,
        bound(residual_after_write, Factor([](const Rational& b, const Rational&) -> Rational { return 1 - b; }))},
       {"a write leaves (1 - beta |k|^4) e", Outcome::refuted,
        bound(residual_after_write,
              Factor([](const Rational& b, const Rational& n) -> Rational { return 1 - b * n * n; }))}}};
}

using Kept = std::function<Rational(const Step&)>;

const StepRanges& gates() {
  static const StepRanges ranges{.eta = {1, Rational(1, 2), Rational(1, 4), Rational(999, 1000)},
                                 .eps = {0, 1, micro()}};
  return ranges;
}

Result kept(const Effort& effort, const Kept& says) {
  return search(
      steps(effort, gates()),
      [&](const Step& step) -> Fault {
        const RationalVector before = residual(step.before, step);
        const RationalVector after = residual(written(step.before, step, *coefficient(step)), step);
        for (std::size_t i = 0; i < before.size(); ++i) {
          if (after[i] == says(step) * before[i]) continue;
          return fmt::format("e = {} becomes {}, not {}", text(before[i]), text(after[i]),
                             text(says(step) * before[i]));
        }
        return std::nullopt;
      },
      [](const Step& step) { return inputs_of(step, "Skvne"); });
}

Rational printed_factor(const Step& step) {
  const Rational energy = squared_norm(step.k);
  return 1 - step.eta * energy / (energy + step.eps);
}

Claim factor() {
  return {"kla.residual-factor",
          {"kla", "Section 3.2, Eq. (5)", "5"},
          "with beta = eta / (|k|^2 + epsilon) a write leaves 1 - eta |k|^2 / (|k|^2 + epsilon) of "
          "the residual",
          "|k|^2 + epsilon is not 0",
          "exact rational arithmetic, grid, edges (|k| from 1e-30 to 1e30, epsilon 0, 1e-6, 1) and "
          "random; follows from "
          "kla.residual-after-write",
          bound(kept, Kept(printed_factor)),
          {{"a write leaves 1 - eta of the residual, whatever epsilon", Outcome::refuted,
            bound(kept, Kept([](const Step& step) -> Rational { return 1 - step.eta; }))}}};
}

struct Interval {
  bool with_zero = true, with_one = false;
};

Result factor_range(const Effort& effort, const StepRanges& ranges, const Interval& interval) {
  return search(
      steps(effort, ranges),
      [&](const Step& step) -> Fault {
        if (!coefficient(step)) return std::nullopt;  // no update: kla.zero-key
        const Rational value = 1 - *coefficient(step) * squared_norm(step.k);
        const bool low = interval.with_zero ? value >= 0 : value > 0, high = interval.with_one ? value <= 1 : value < 1;
        if (low && high) return std::nullopt;
        return fmt::format("the factor is {}", text(value));
      },
      [](const Step& step) { return inputs_of(step, "kne"); });
}

Claim range() {
  StepRanges with_zero = gates(), large = gates();
  with_zero.zero_keys = true;
  large.eta = {2};
  return {"kla.residual-factor-range",
          {"kla", "Section 3.2, Eq. (5); Appendix A", "5, 14"},
          "the factor that a write leaves of the residual is in [0, 1): 0 is reached (eta = 1, epsilon = 0), 1 is not",
          "k is not 0, 0 < eta <= 1, epsilon >= 0",
          "exact rational arithmetic, grid, edges and random; |k|^2/(|k|^2 + epsilon) is in (0, 1] "
          "for these, which "
          "proves it",
          bound(factor_range, gates(), Interval{}),
          {{"the factor is in (0, 1)", Outcome::refuted, bound(factor_range, gates(), Interval{false, false})},
           {"the factor is in [0, 1) for a zero key too", Outcome::refuted, bound(factor_range, with_zero, Interval{})},
           {"the factor is in [0, 1) for eta = 2 too", Outcome::refuted, bound(factor_range, large, Interval{})},
           {"the factor is in [0, 1] for a zero key too", Outcome::holds,
            bound(factor_range, with_zero, Interval{true, true})}}};
}

enum class Against { decayed_state, state_before_decay };

/// The loss of the pair that was written, against the loss of the state given.
Result loss_grows_not(const Effort& effort, Against against, bool strictly) {
  StepRanges ranges = gates();
  ranges.decay = {1, Rational(1, 2)};
  return search(
      steps(effort, ranges),
      [&](const Step& step) -> Fault {
        const Rational after = loss(written(base(step), step, *coefficient(step)), step);
        const Rational before = loss(against == Against::decayed_state ? base(step) : step.before, step);
        if (strictly ? after < before : after <= before) return std::nullopt;
        return fmt::format("the loss was {} and is {}", text(before), text(after));
      },
      [](const Step& step) { return inputs_of(step, "aSkvne"); });
}

Claim loss_does_not_grow() {
  return {"kla.loss-not-increased",
          {"kla", "Section 3.2, Eq. (5); Appendix A", "5, 14"},
          "the loss of the association that is written does not grow, counted from the decayed state",
          "k is not 0, 0 < eta <= 1, epsilon >= 0",
          "exact rational arithmetic, grid, edges and random",
          bound(loss_grows_not, Against::decayed_state, false),
          {{"it always falls", Outcome::refuted, bound(loss_grows_not, Against::decayed_state, true)},
           {"it does not grow, counted from the state before the decay", Outcome::refuted,
            bound(loss_grows_not, Against::state_before_decay, false)}}};
}

/// Decay alone: a universal statement and its contrary through one search. `can` asks for an
/// instance that raises.
Result decay_raises(const Effort& effort, bool can, bool zero_values) {
  StepRanges ranges{.decay = {Rational(1, 2), Rational(1, 10)}};
  std::vector<Step> instances = steps(effort, ranges);
  for (Step& step : instances) {
    if (zero_values) step.v.assign(step.v.size(), 0);
  }
  Result found = search(
      instances,
      [](const Step& step) -> Fault {
        const Rational before = loss(step.before, step), after = loss(base(step), step);
        if (after <= before) return std::nullopt;
        return fmt::format("decay raises the loss from {} to {}", text(before), text(after));
      },
      [](const Step& step) { return inputs_of(step, "aSkv"); });
  return can ? contrary(std::move(found), inputs_of(instances.front(), "aSkv")) : found;
}

Claim forgetting() {
  return {"kla.forgetting-may-raise-loss",
          {"kla", "Section 3.2; Appendix A", "5, 14-15", Voice::derived},
          "forgetting need not lower the loss: decay alone can raise the loss of the current "
          "association",
          "",
          "a witness is searched for in exact rational arithmetic, smallest first",
          bound(decay_raises, true, false),
          {{"decay never raises that loss", Outcome::refuted, bound(decay_raises, false, false)},
           {"decay can raise that loss where v = 0", Outcome::refuted, bound(decay_raises, true, true)}}};
}

}  // namespace

std::vector<Claim> kla_residual_claims() {
  return {after_write(), factor(), range(), loss_does_not_grow(), forgetting()};
}

}  // namespace deltaproof::claims
