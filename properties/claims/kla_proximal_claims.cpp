#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

Rational micro() { return Rational(1, 1000000); }

/// mu from eta, |k|^2 and epsilon; none where it divides by zero.
using Weight = std::function<std::optional<Rational>(const Rational& eta, const Rational& n, const Rational& eps)>;

std::optional<Rational> weight(const Rational& eta, const Rational& n, const Rational& eps) {
  const Rational below = (1 - eta) * n + eps;
  if (below == 0) return std::nullopt;
  return eta / below;
}

StepRanges gates(std::vector<Rational> eta, std::vector<Rational> eps) {
  return {.decay = {1}, .eta = std::move(eta), .eps = std::move(eps), .zero_keys = false};
}

/// |S - S~|^2/2 + mu/2 |S^T k - v|^2.
Rational objective(const RationalMatrix& state, const Step& step, const Rational& mu) {
  return squared_norm(state - step.before) / 2 + mu * loss(state, step);
}

/// The KLA step solves the problem with this mu: the objective's derivative is 0 there in every
/// entry.
Result stationary(const Effort& effort, const Weight& says) {
  return search(
      steps(effort, gates({Rational(1, 2), Rational(1, 4), Rational(999, 1000)}, {0, 1, micro()})),
      [&](const Step& step) -> Fault {
        const Rational mu = says(step.eta, squared_norm(step.k), step.eps).value();
        const RationalMatrix state = written(step.before, step, *coefficient(step));
        RationalMatrix unit(state.rows(), state.columns());
        for (std::size_t i = 0; i < state.rows(); ++i) {
          for (std::size_t j = 0; j < state.columns(); ++j) {
            unit(i, j) = 1;
            const Rational slope = (objective(state + unit, step, mu) - objective(state - unit, step, mu)) / 2;
            unit(i, j) = 0;
            if (slope != 0) return fmt::format("at the step's end the derivative should be 0 and is {}", text(slope));
          }
        }
        return std::nullopt;
      },
      [](const Step& step) { return inputs_of(step, "Skvne"); });
}

Claim solution() {
  return {
      "kla.proximal",
      {"kla", "Section 3.1, Proposition 1; Appendix A", "3-4, 14"},
      "the step with beta = eta/(|k|^2 + epsilon) solves min |S - S~|^2/2 + mu/2 |S^T k - v|^2 for "
      "mu = eta/((1 - eta)|k|^2 + epsilon)",
      "k is not 0; eta < 1 or epsilon > 0",
      "exact derivatives of the objective (differences are exact for degree 2), all 0 at the "
      "step's end; grid, edges, "
      "random",
      bound(stationary, Weight(weight)),
      {{"the same for mu = eta/(|k|^2 + epsilon)", Outcome::refuted,
        bound(stationary, Weight([](const Rational& eta, const Rational& n,
                                    const Rational& eps) -> std::optional<Rational> { return eta / (n + eps); }))}}};
}

Result coefficients(const Effort& effort, const Weight& says) {
  return search(
      steps(effort, gates({Rational(1, 2), Rational(1, 4), Rational(999, 1000)}, {0, 1, micro()})),
      [&](const Step& step) -> Fault {
        const Rational n = squared_norm(step.k), mu = says(step.eta, n, step.eps).value();
        const Rational beta = mu / (1 + mu * n);
        if (beta == *coefficient(step)) return std::nullopt;
        return fmt::format("mu/(1 + mu |k|^2) is {}, not eta/(|k|^2 + epsilon) = {}", text(beta),
                           text(*coefficient(step)));
      },
      [](const Step& step) { return inputs_of(step, "kne"); });
}

Claim coefficient_of_mu() {
  return {"kla.proximal-coefficient",
          {"kla", "Section 3.1, Proposition 1; Appendix A", "3-4, 14"},
          "mu/(1 + mu |k|^2), the coefficient of the proximal solution, is eta/(|k|^2 + epsilon)",
          "k is not 0; eta < 1 or epsilon > 0",
          "exact rational arithmetic, grid, edges and random",
          bound(coefficients, Weight(weight)),
          {{"the same for mu = eta/(1 - eta)", Outcome::refuted,
            bound(coefficients, Weight([](const Rational& eta, const Rational&,
                                          const Rational&) -> std::optional<Rational> { return eta / (1 - eta); }))}}};
}

/// mu exists and is positive, for all of these gates. The end point eta = 1, epsilon = 0 is the
/// only known exception.
Result weight_exists(const Effort& effort, const StepRanges& ranges) {
  const auto faulty = [](const Step& step) -> Fault {
    const std::optional<Rational> mu = weight(step.eta, squared_norm(step.k), step.eps);
    if (!mu) return "mu divides by (1 - eta)|k|^2 + epsilon = 0";
    if (*mu > 0) return std::nullopt;
    return fmt::format("mu is {}", text(*mu));
  };
  const auto inputs = [](const Step& step) { return inputs_of(step, "kne"); };
  std::vector<Step> all = steps(effort, ranges);
  Result found = search(all, faulty, inputs);
  if (found.outcome != Outcome::refuted) return found;
  std::erase_if(all, [](const Step& step) { return step.eta == 1 && step.eps == 0; });
  if (search(all, faulty, inputs).outcome != Outcome::holds) return found;
  found.outcome = Outcome::conditional;
  found.condition =
      "eta < 1 or epsilon > 0; at eta = 1, epsilon = 0 the step is the limit of mu growing without "
      "end";
  return found;
}

Claim end_point() {
  const Rational half(1, 2);
  return {"kla.proximal-end-point",
          {"kla", "Section 3.1, Proposition 1", "3-4"},
          "Proposition 1 covers all of 0 < eta <= 1, epsilon >= 0: mu is a positive number for each",
          "k is not 0, 0 < eta <= 1, epsilon >= 0",
          "exact rational arithmetic, grid, edges and random, with the end point",
          bound(weight_exists, gates({half, Rational(1, 4), 1}, {0, 1, micro()})),
          {{"mu is a positive number for 0 < eta < 1, epsilon >= 0", Outcome::holds,
            bound(weight_exists, gates({half, Rational(1, 4), Rational(999, 1000)}, {0, 1, micro()}))},
           {"mu is a positive number for eta = 2 too", Outcome::refuted,
            bound(weight_exists, gates({2}, {0, 1, micro()}))}}};
}

using Distance = std::function<Rational(const Rational& mu, const Rational& n)>;

/// How far the proximal coefficient is from that of the projection, for mu = 1, 10^3, .., 10^30.
Result limit(const Effort& effort, const Distance& says) {
  return search(
      steps(effort, {}),
      [&](const Step& step) -> Fault {
        const Rational n = squared_norm(step.k);
        Rational mu = 1, last = 1 / n;
        for (int i = 0; i <= 10; ++i, mu *= 1000) {
          const Rational distance = 1 / n - mu / (1 + mu * n);
          if (distance != says(mu, n)) {
            return fmt::format("for mu = {} the distance is {}, not {}", text(mu), text(distance), text(says(mu, n)));
          }
          if (distance >= last) return fmt::format("for mu = {} the distance does not fall", text(mu));
          last = distance;
        }
        return std::nullopt;
      },
      [](const Step& step) { return inputs_of(step, "k"); });
}

Claim projection_limit() {
  return {
      "kla.proximal-limit",
      {"kla", "Section 3.1, Proposition 1", "3-4", Voice::derived},
      "as mu grows the proximal coefficient tends to that of the projection, 1/|k|^2: 1/(|k|^2 (1 "
      "+ mu |k|^2)) is left",
      "k is not 0",
      "exact rational arithmetic for mu = 1 to 10^30; the formula of the distance proves the limit",
      bound(limit, Distance([](const Rational& mu, const Rational& n) -> Rational { return 1 / (n * (1 + mu * n)); })),
      {{"1/(1 + mu |k|^2) is left", Outcome::refuted,
        bound(limit, Distance([](const Rational& mu, const Rational& n) -> Rational { return 1 / (1 + mu * n); }))}}};
}

/// The objective along every unit direction bends upwards: strictly convex, one solution.
Result strictly_convex(const Effort& effort, const std::vector<Rational>& weights) {
  std::vector<Step> instances = steps(effort, {.eta = weights, .zero_keys = true});
  return search(
      instances,
      [](const Step& step) -> Fault {
        const Rational& mu = step.eta;
        RationalMatrix along(step.k.size(), step.v.size());
        for (std::size_t i = 0; i < along.rows(); ++i)
          along(i, 0) = squared_norm(step.k) == 0 ? Rational(1) : step.k[i];
        const Rational bend = objective(step.before + along, step, mu) + objective(step.before - along, step, mu) -
                              2 * objective(step.before, step, mu);
        if (bend > 0) return std::nullopt;
        return fmt::format("for mu = beta the second difference along k is {}", text(bend));
      },
      [](const Step& step) { return inputs_of(step, "kb"); });
}

Claim unique() {
  return {"kla.proximal-unique",
          {"kla", "Section 3.1, Proposition 1; Appendix A", "3-4, 14"},
          "for a finite mu >= 0 the proximal problem is strictly convex: it has one solution",
          "mu >= 0",
          "exact second differences along k, the only direction in which mu counts (across it they "
          "are |H|^2); they are "
          "(1 + mu |k|^2)|k|^2, which proves it",
          bound(strictly_convex, std::vector<Rational>{0, 1, 1000, micro()}),
          {{"it is strictly convex for a negative mu too", Outcome::refuted,
            bound(strictly_convex, std::vector<Rational>{-1, 1})}}};
}

}  // namespace

std::vector<Claim> kla_proximal_claims() {
  return {solution(), coefficient_of_mu(), end_point(), projection_limit(), unique()};
}

}  // namespace deltaproof::claims
