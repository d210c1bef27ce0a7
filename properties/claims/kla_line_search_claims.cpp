#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

using Gradient = std::function<RationalMatrix(const RationalVector& k, const RationalVector& e)>;
using Loss = std::function<Rational(const Rational& tau, const Rational& energy, const Rational& squared_residual)>;
using Length = std::function<Rational(const Rational& energy)>;

RationalMatrix descent(const RationalVector& k, const RationalVector& e) { return -1 * outer(k, e); }

/// From losses alone: half the difference across 0 is the derivative exactly, as the loss is of
/// degree 2.
RationalMatrix measured_gradient(const Step& step) {
  RationalMatrix gradient(step.k.size(), step.v.size());
  for (std::size_t i = 0; i < gradient.rows(); ++i) {
    for (std::size_t j = 0; j < gradient.columns(); ++j) {
      RationalMatrix unit(gradient.rows(), gradient.columns());
      unit(i, j) = 1;
      gradient(i, j) = (loss(step.before + unit, step) - loss(step.before - unit, step)) / 2;
    }
  }
  return gradient;
}

Result gradient_is(const Effort& effort, const Gradient& says) {
  return search(
      steps(effort, {.zero_keys = true}),
      [&](const Step& step) -> Fault {
        const RationalMatrix is = measured_gradient(step), said = says(step.k, residual(step.before, step));
        if (is == said) return std::nullopt;
        return fmt::format("the gradient is {}, not {}", text(is), text(said));
      },
      [](const Step& step) { return inputs_of(step, "Skv"); });
}

Claim gradient() {
  return {"kla.gradient",
          {"kla", "Section 3.2", "4"},
          "the gradient of |S^T k - v|^2 / 2 at S is -k e^T",
          "",
          "differences of losses, which are exact for a function of degree 2, in rational "
          "arithmetic; grid, edges, random",
          bound(gradient_is, Gradient(descent)),
          {{"the gradient is +k e^T", Outcome::refuted, bound(gradient_is, Gradient(outer))},
           {"the gradient is -2 k e^T", Outcome::refuted,
            bound(gradient_is,
                  Gradient([](const RationalVector& k, const RationalVector& e) { return -2 * outer(k, e); }))}}};
}

const std::vector<Rational>& lengths() {
  static const std::vector<Rational> all{0, 1, -1, Rational(1, 2), Rational(1, 4), 3};
  return all;
}

Result loss_along(const Effort& effort, const Loss& says) {
  return search(
      steps(effort, {.eta = lengths(), .zero_keys = true}),
      [&](const Step& step) -> Fault {
        const RationalMatrix moved = written(step.before, step, step.eta);
        const Rational is = loss(moved, step);
        const Rational said = says(step.eta, squared_norm(step.k), squared_norm(residual(step.before, step)));
        if (is == said) return std::nullopt;
        return fmt::format("after the step tau = beta the loss is {}, not {}", text(is), text(said));
      },
      [](const Step& step) { return inputs_of(step, "Skvb"); });
}

Claim line_search_loss() {
  return {"kla.line-search-loss",
          {"kla", "Section 3.2, Eq. (4)", "4"},
          "the loss after a step tau along k e^T is (1 - tau |k|^2)^2 |e|^2 / 2",
          "",
          "exact rational arithmetic; tau among 0, negative and large ones; grid, edges, random "
          "(proved through "
          "kla.residual-after-write)",
          bound(loss_along, Loss([](const Rational& tau, const Rational& n, const Rational& ee) -> Rational {
                  return (1 - tau * n) * (1 - tau * n) * ee / 2;
                })),
          {{"the loss is (1 - tau |k|^2) |e|^2 / 2", Outcome::refuted,
            bound(loss_along, Loss([](const Rational& tau, const Rational& n, const Rational& ee) -> Rational {
                    return (1 - tau * n) * ee / 2;
                  }))}}};
}

/// The vertex of the parabola through three losses; none where the loss does not change.
std::optional<Rational> best_length(const Step& step) {
  const Rational at_0 = loss(step.before, step), at_1 = loss(written(step.before, step, 1), step);
  const Rational at_2 = loss(written(step.before, step, 2), step);
  const Rational curvature = (at_2 - 2 * at_1 + at_0) / 2, slope = at_1 - at_0 - curvature;
  if (curvature == 0) return std::nullopt;
  return -slope / (2 * curvature);
}

Result minimiser(const Effort& effort, const Length& says) {
  return search(
      steps(effort, {}),
      [&](const Step& step) -> Fault {
        const std::optional<Rational> best = best_length(step);
        const Rational said = says(squared_norm(step.k));
        if (!best || *best == said) return std::nullopt;  // e = 0: kla.line-search-degenerate
        return fmt::format("the loss is least at tau = {}, not at {}", text(*best), text(said));
      },
      [](const Step& step) { return inputs_of(step, "Skv"); });
}

Claim line_search_minimiser() {
  return {"kla.line-search-minimiser",
          {"kla", "Section 3.2, Theorem 1", "4"},
          "the loss along k e^T is least at tau = 1/|k|^2, and there alone",
          "k and e are not 0",
          "the vertex of the parabola through the losses at tau = 0, 1 and 2, exactly; grid, "
          "edges, random",
          bound(minimiser, Length([](const Rational& n) -> Rational { return 1 / n; })),
          {{"the loss is least at tau = 1/(2 |k|^2)", Outcome::refuted,
            bound(minimiser, Length([](const Rational& n) -> Rational { return 1 / (2 * n); }))}}};
}

using Excluded = std::function<bool(const Step&)>;

/// Two steps of different lengths end in the same state wherever `of` holds.
Result same_for_any_length(const Effort& effort, const Excluded& of) {
  return search(
      steps(effort, {.eta = {2, -1, Rational(1, 2)}}),
      [&](const Step& step) -> Fault {
        const RationalMatrix end = written(step.before, step, step.eta);
        if (!of(step) || end == step.before) return std::nullopt;
        return fmt::format("a step beta leads to {}, a step 0 stays", text(end));
      },
      [](const Step& step) { return inputs_of(step, "Skvb"); });
}

Claim degenerate() {
  return {"kla.line-search-degenerate",
          {"kla", "Section 3.2, Theorem 1", "4"},
          "where e = 0 every step length gives the same state",
          "e is 0",
          "exact rational arithmetic on those instances of the grid, the edges and the random "
          "steps that have e = 0",
          bound(same_for_any_length, Excluded([](const Step& s) { return squared_norm(residual(s.before, s)) == 0; })),
          {{"every step length gives the same state, whatever e", Outcome::refuted,
            bound(same_for_any_length, Excluded([](const Step&) { return true; }))}}};
}

/// Line search, normalised gradient and the step with these gates, each by its own route.
Result three_in_one(const Effort& effort, const Rational& eta, const Rational& eps) {
  return search(
      steps(effort, {.eta = {eta}, .eps = {eps}}),
      [&](const Step& step) -> Fault {
        const RationalMatrix kla = written(step.before, step, *coefficient(step));
        const RationalMatrix gradient = step.before - (1 / squared_norm(step.k)) * measured_gradient(step);
        const RationalMatrix search = written(step.before, step, best_length(step).value_or(0));
        const bool meets = squared_norm(residual(kla, step)) == 0;
        if (kla == gradient && kla == search && meets) return std::nullopt;
        return fmt::format("the step ends in {}, the line search in {}, the normalised gradient in {}", text(kla),
                           text(search), text(gradient));
      },
      [](const Step& step) { return inputs_of(step, "Skvne"); });
}

Claim theorem_1() {
  return {"kla.theorem-1",
          {"kla", "Section 3.2, Theorem 1", "4"},
          "with eta = 1 and epsilon = 0 one step is the projection, the exact line search and the "
          "normalised gradient step",
          "k is not 0",
          "three routes in exact rational arithmetic: the update; the vertex of the parabola of "
          "losses; the gradient from "
          "differences of losses. That the constraint is met makes it the projection (kla.projection)",
          bound(three_in_one, Rational(1), Rational(0)),
          {{"they coincide with eta = 1/2", Outcome::refuted, bound(three_in_one, Rational(1, 2), Rational(0))},
           {"they coincide with epsilon = 10^-6", Outcome::refuted,
            bound(three_in_one, Rational(1), Rational(1, 1000000))}}};
}

}  // namespace

std::vector<Claim> kla_line_search_claims() {
  return {gradient(), line_search_loss(), line_search_minimiser(), degenerate(), theorem_1()};
}

}  // namespace deltaproof::claims
