#include "properties/claims/figures.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

Rational micro() { return Rational(1, 1000000); }

/// A zero key: what the update does with it, for these epsilons.
Result zero_key_changes_nothing(const Effort& effort, const std::vector<Rational>& eps) {
  std::vector<Step> instances = steps(effort, {.eta = {1, Rational(1, 2)}, .eps = eps});
  for (Step& step : instances) step.k.assign(step.k.size(), 0);
  return search(
      instances,
      [](const Step& step) -> Fault {
        const std::optional<Rational> beta = coefficient(step);
        if (!beta) return "eta / (|k|^2 + epsilon) divides by zero";
        if (written(step.before, step, *beta) == step.before) return std::nullopt;
        return "the state changes";
      },
      [](const Step& step) { return inputs_of(step, "Skvne"); });
}

Claim zero_key() {
  return {"kla.zero-key",
          {"kla", "Section 3.2, Eq. (5)", "5", Voice::derived},
          "a zero key with epsilon > 0 changes neither the state nor the residual",
          "k = 0, epsilon > 0",
          "exact rational arithmetic; k e^T is 0 for k = 0, which proves it",
          bound(zero_key_changes_nothing, std::vector<Rational>{1, micro()}),
          {{"a zero key changes nothing with epsilon = 0 too", Outcome::refuted,
            bound(zero_key_changes_nothing, std::vector<Rational>{1, 0})}}};
}

/// How the coefficient of the write depends on its key.
enum class Normalised { by_energy, by_nothing };

Rational corrected(const Step& step, Normalised normalised, const Rational& scale) {
  const Rational energy = scale * scale * squared_norm(step.k);
  return normalised == Normalised::by_energy ? step.eta * energy / (energy + step.eps) : step.eta * energy;
}

/// The share of the residual that a write corrects is that of the key scaled.
Result unchanged_by_scale(const Effort& effort, Normalised normalised, const std::vector<Rational>& eps) {
  Result found = search(
      steps(effort, {.eta = {1, Rational(1, 2)}, .eps = eps}),
      [&](const Step& step) -> Fault {
        for (const Rational& scale : {Rational(2), Rational(-1), Rational(1, 1000)}) {
          const Rational one = corrected(step, normalised, 1), other = corrected(step, normalised, scale);
          if (one == other) continue;
          return fmt::format("the write corrects {} of the residual, with the key times {} it is {}", text(one),
                             text(scale), text(other));
        }
        return std::nullopt;
      },
      [](const Step& step) { return inputs_of(step, "kne"); });
  // Only epsilon can be at fault where dividing by the energy without it leaves no counterexample.
  if (found.outcome == Outcome::refuted && normalised == Normalised::by_energy) {
    found.outcome = Outcome::conditional;
    found.condition = "epsilon = 0; with epsilon > 0 the share eta |k|^2/(|k|^2 + epsilon) still grows with |k|";
  }
  return found;
}

Claim scale_free() {
  return {"kla.scale-free",
          {"kla", "Section 1; Section 3.2", "1-2, 4-5", Voice::reading},
          "dividing by |k|^2 + epsilon takes the size of the key out of the share of the residual that "
          "is corrected",
          "",
          "exact rational arithmetic: keys scaled by 2, -1 and 1/1000, grid, edges and random",
          bound(unchanged_by_scale, Normalised::by_energy, std::vector<Rational>{0, 1, micro()}),
          {{"with epsilon = 0 the share does not depend on the size of the key", Outcome::holds,
            bound(unchanged_by_scale, Normalised::by_energy, std::vector<Rational>{0})},
           {"without the division the share does not depend on the size of the key", Outcome::refuted,
            bound(unchanged_by_scale, Normalised::by_nothing, std::vector<Rational>{0})}}};
}

/// The share eta |k|^2/(|k|^2 + eps) that is lost to epsilon, at a printed epsilon.
Result small_key_share(const Effort&, const Rational& energy, const Rational& eps, const Rational& share) {
  const Rational is = energy / (energy + eps);
  Result found;
  found.cases = 1;
  found.outcome = is == share ? Outcome::holds : Outcome::refuted;
  found.finding = fmt::format("a key of squared norm {} has {} of its residual corrected at eta = 1",
                              decimal(energy, 8), decimal(is, 8));
  found.numbers = {{"|k|^2", text(energy)}, {"epsilon", text(eps)}, {"share", text(is)}};
  if (is != share) {
    found.counterexample = Counterexample{{{"|k|^2", text(energy)}, {"epsilon", text(eps)}, {"eta", "1"}},
                                          fmt::format("the share is {}, not {}", text(is), text(share))};
  }
  return found;
}

Claim small_keys() {
  const Rational eps = figure("kla", "model.epsilon").value;
  return {"kla.small-key-epsilon",
          {"kla", "Appendix C; Section 6", "9-10, 18", Voice::derived},
          "with epsilon = 10^-6 a key of squared norm 10^-6 has only half of its residual "
          "corrected: small keys are "
          "epsilon's",
          "eta = 1",
          "exact rational arithmetic",
          bound(small_key_share, micro(), eps, Rational(1, 2)),
          {{"such a key has all of its residual corrected", Outcome::refuted,
            bound(small_key_share, micro(), eps, Rational(1))},
           {"a key of squared norm 10^-3 has 1000/1001 corrected", Outcome::holds,
            bound(small_key_share, Rational(1, 1000), eps, Rational(1000, 1001))}}};
}

/// When a write with a gate alone leaves a factor beyond [-1, 1]: a larger residual than before.
Result overshoots_beyond(const Effort& effort, const Rational& limit) {
  return search(
      steps(effort, {.eta = {1, Rational(1, 2), Rational(1, 4)}}),
      [&](const Step& step) -> Fault {
        const Rational energy = squared_norm(step.k), factor = 1 - step.eta * energy;
        const bool grows = factor > 1 || factor < -1;
        if (grows == (step.eta * energy > limit)) return std::nullopt;
        return fmt::format("eta |k|^2 is {} and the factor {}", text(step.eta * energy), text(factor));
      },
      [](const Step& step) { return inputs_of(step, "kn"); });
}

Claim overshoot() {
  return {"kla.gdn-overshoot",
          {"kla", "Section 2; Section 3.2", "2-3, 4-5", Voice::derived},
          "with beta = eta the residual factor 1 - eta |k|^2 leaves [-1, 1], and the residual "
          "grows, exactly for "
          "eta |k|^2 > 2",
          "keys of any size",
          "exact rational arithmetic, grid, edges and random",
          bound(overshoots_beyond, Rational(2)),
          {{"the residual grows exactly for eta |k|^2 > 1", Outcome::refuted, bound(overshoots_beyond, Rational(1))},
           {"the residual never grows", Outcome::refuted,
            bound(overshoots_beyond, Rational(boost::multiprecision::pow(boost::multiprecision::cpp_int(10), 99)))}}};
}

struct Lesson {
  Rational beta, state, readout, left;
};

/// dk = dv = 1, S~ = 0, k = 2, v = 1.
Result lesson(const Effort&, const std::vector<Lesson>& says) {
  const Step step{RationalMatrix(1, 1), 1, {2}, {1}, 1, 0};
  Result found = search(
      says,
      [&](const Lesson& said) -> Fault {
        const RationalMatrix state = written(step.before, step, said.beta);
        const Rational readout = transposed_times(state, step.k)[0], left = residual(state, step)[0];
        if (state(0, 0) == said.state && readout == said.readout && left == said.left) return std::nullopt;
        return fmt::format("S+ is {}, its readout {}, the residual {}", text(state(0, 0)), text(readout), text(left));
      },
      [&](const Lesson& said) {
        std::vector<Named> inputs = inputs_of(step, "Skv");
        inputs.push_back({"beta", text(said.beta)});
        return inputs;
      });
  return found;
}

Claim teaching() {
  const Rational half(1, 2), quarter(1, 4);
  return {
      "kla.worked-example",
      {"kla", "Section 3.2", "4", Voice::derived},
      "k = 2, v = 1 into an empty 1 x 1 state: beta = 1 turns the residual 1 into -3; beta = "
      "1/4 reads 1; "
      "eta = 1/2 (beta = 1/8) corrects half",
      "dk = dv = 1",
      "exact rational arithmetic",
      bound(lesson, std::vector<Lesson>{{1, 2, 4, -3}, {quarter, half, 1, 0}, {Rational(1, 8), quarter, half, half}}),
      {{"beta = 1/2 reads 1", Outcome::refuted, bound(lesson, std::vector<Lesson>{{half, half, 1, 0}})}}};
}

}  // namespace

std::vector<Claim> kla_scale_claims() { return {zero_key(), scale_free(), small_keys(), overshoot(), teaching()}; }

}  // namespace deltaproof::claims
