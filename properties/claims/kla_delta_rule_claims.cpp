#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

Rational micro() { return Rational(1, 1000000); }

using Update = std::function<RationalMatrix(const Step& step, const Rational& beta)>;

/// (I - beta k k^T) S~ + beta k v^T.
RationalMatrix erase_and_write(const Step& step, const Rational& beta) {
  const RationalMatrix erase = RationalMatrix::identity(step.k.size()) - beta * outer(step.k, step.k);
  return erase * base(step) + beta * outer(step.k, step.v);
}

/// Against S~ + beta k (v - S~^T k)^T.
Result same_update(const Effort& effort, const Update& other) {
  std::vector<Step> instances =
      steps(effort, {.decay = {1, Rational(1, 2), 0}, .eta = {1, 0, Rational(1, 2), 2}, .zero_keys = true});
  for (Step& point : proof_grid()) instances.push_back(std::move(point));
  return search(
      instances,
      [&](const Step& step) -> Fault {
        const RationalMatrix one = written(base(step), step, step.eta), two = other(step, step.eta);
        if (one == two) return std::nullopt;
        return fmt::format("the residual form gives {}, the other {}", text(one), text(two));
      },
      [](const Step& step) { return inputs_of(step, "aSkvb"); });
}

Claim two_forms() {
  return {"kla.gdn-two-forms",
          {"kla", "Section 2", "2-3"},
          "S~ + beta k e^T and (I - beta k k^T) S~ + beta k v^T are one update",
          "",
          "proved: polynomials of degree at most 1 in beta, v, S_i and 2 in k_i that agree on the "
          "full grid of 256 points "
          "of dk = 2, dv = 1; every monomial holds at most two key channels and one value channel. "
          "Besides: edges and random",
          bound(same_update, Update(erase_and_write)),
          {{"(I - beta k k^T) S~ + k v^T is the same update", Outcome::refuted,
            bound(same_update, Update([](const Step& step, const Rational& beta) {
                    return erase_and_write(step, beta) + (1 - beta) * outer(step.k, step.v);
                  }))},
           {"the decay may be applied after the erasure alone", Outcome::holds,
            bound(same_update, Update([](const Step& step, const Rational& beta) {
                    const RationalMatrix erase = RationalMatrix::identity(step.k.size()) - beta * outer(step.k, step.k);
                    return step.decay * (erase * step.before) + beta * outer(step.k, step.v);
                  }))}}};
}

using Gap = std::function<RationalMatrix(const Step&)>;

/// The state with the residual of the state before the decay, less the one with that of the decayed
/// state.
Result wrong_residual(const Effort& effort, const Gap& says) {
  return search(
      steps(effort, {.decay = {1, Rational(1, 2), 0}, .eta = {1, Rational(1, 2)}}),
      [&](const Step& step) -> Fault {
        const RationalMatrix right = written(base(step), step, step.eta);
        const RationalMatrix wrong = base(step) + step.eta * outer(step.k, residual(step.before, step));
        if (wrong - right == says(step)) return std::nullopt;
        return fmt::format("the two states are {} and {}", text(right), text(wrong));
      },
      [](const Step& step) { return inputs_of(step, "aSkvb"); });
}

Claim residual_of_decayed() {
  return {
      "kla.residual-of-decayed-state",
      {"kla", "Section 3.3, Algorithm 1", "5", Voice::derived},
      "the residual must be taken from the decayed state: from the state before the decay the "
      "result is off by "
      "-beta (1 - alpha) k (S^T k)^T",
      "",
      "exact rational arithmetic, grid, edges and random, decays 0, 1/2 and 1",
      bound(wrong_residual, Gap([](const Step& step) {
              return -step.eta * (1 - step.decay) * outer(step.k, transposed_times(step.before, step.k));
            })),
      {{"it makes no difference which state the residual is from", Outcome::refuted,
        bound(wrong_residual, Gap([](const Step& step) { return RationalMatrix(step.k.size(), step.v.size()); }))}}};
}

using Difference = std::function<Rational(const Rational& eta, const Rational& eps)>;

/// A key of norm 1 with rational entries, next to its first two of size p.
RationalVector unit_key(std::int64_t p, std::size_t length) {
  RationalVector key(length);
  if (length == 1) return {p % 2 == 0 ? Rational(1) : Rational(-1)};
  key[0] = Rational(1 - p * p, 1 + p * p), key[1] = Rational(2 * p, 1 + p * p);
  return key;
}

/// GDN's coefficient less KLA's, on keys of norm 1.
Result unit_keys(const Effort& effort, const Difference& says) {
  std::vector<Step> instances =
      steps(effort, {.eta = {1, Rational(1, 2), Rational(1, 4), Rational(999, 1000)}, .eps = {0, 1, micro()}});
  std::int64_t p = 0;
  for (Step& step : instances) step.k = unit_key(p++ % 7, step.k.size());
  return search(
      instances,
      [&](const Step& step) -> Fault {
        const Rational difference = step.eta - *coefficient(step);
        if (difference == says(step.eta, step.eps)) return std::nullopt;
        return fmt::format("the coefficients differ by {}, not {}", text(difference), text(says(step.eta, step.eps)));
      },
      [](const Step& step) { return inputs_of(step, "kne"); });
}

Claim unit_key_coefficient() {
  return {
      "kla.gdn-unit-keys",
      {"kla", "Section 2; Section 3.3", "2-3, 5", Voice::derived},
      "for keys of norm 1 the coefficients of KLA and of GDN differ by eta epsilon/(1 + "
      "epsilon) alone",
      "|k| = 1, both from the same gate",
      "exact rational arithmetic on rational points of the unit circle, epsilon 0, 10^-6 and 1",
      bound(unit_keys,
            Difference([](const Rational& eta, const Rational& eps) -> Rational { return eta * eps / (1 + eps); })),
      {{"for keys of norm 1 the two are equal", Outcome::refuted,
        bound(unit_keys, Difference([](const Rational&, const Rational&) -> Rational { return 0; }))},
       {"they differ by eta epsilon", Outcome::refuted,
        bound(unit_keys, Difference([](const Rational& eta, const Rational& eps) -> Rational { return eta * eps; }))}}};
}

struct Readout {
  bool additive;
  int times;  ///< the multiple of v that is read after the pair was written twice
};

/// An empty state, one pair written twice, then read with a key of norm 1.
Result written_twice(const Effort& effort, const Readout& says) {
  std::vector<Step> instances = steps(effort, {});
  std::int64_t p = 0;
  for (Step& step : instances) {
    step.k = unit_key(p++ % 7, step.k.size());
    step.before = RationalMatrix(step.k.size(), step.v.size());
  }
  return search(
      instances,
      [&](const Step& step) -> Fault {
        RationalMatrix state = step.before;
        for (int i = 0; i < 2; ++i) {
          state = says.additive ? state + outer(step.k, step.v) : written(state, step, *coefficient(step));
        }
        const RationalVector read = transposed_times(state, step.k);
        for (std::size_t j = 0; j < read.size(); ++j) {
          if (read[j] != says.times * step.v[j]) {
            return fmt::format("v = {} is read as {}", text(step.v), text(read));
          }
        }
        return std::nullopt;
      },
      [](const Step& step) { return inputs_of(step, "kv"); });
}

Claim additive() {
  return {"kla.additive-repeats",
          {"kla", "Section 2", "2-3", Voice::derived},
          "an additive write of a pair that is there already adds it again: written twice it is "
          "read as 2 v",
          "a key of norm 1, an empty state",
          "exact rational arithmetic",
          bound(written_twice, Readout{true, 2}),
          {{"an additive write of the same pair twice is read as v", Outcome::refuted,
            bound(written_twice, Readout{true, 1})},
           {"the Kaczmarz write of the same pair twice is read as v", Outcome::holds,
            bound(written_twice, Readout{false, 1})}}};
}

}  // namespace

std::vector<Claim> kla_delta_rule_claims() {
  return {two_forms(), residual_of_decayed(), unit_key_coefficient(), additive()};
}

}  // namespace deltaproof::claims
