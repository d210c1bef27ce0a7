#include <map>

#include "properties/claims/exact_elimination.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_sizes.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

/// How many numbers the states that can be reached need: the rank of their span.
Result state_size(const Effort& effort, const SizeFormula& says) {
  RationalDraw draw(effort.seed);
  return search(
      layer_sizes(),
      [&](const LayerSize& size) -> Fault {
        const auto dk = static_cast<std::size_t>(size.dk), dv = static_cast<std::size_t>(size.dv);
        RationalMatrix reached(2 * dk * dv + 2, dk * dv);
        for (std::size_t run = 0; run < reached.rows(); ++run) {
          RationalMatrix state(dk, dv);
          for (std::int64_t t = 0; t < size.tokens; ++t) {
            const Step step{state, draw.unit(), draw.nonzero_vector(dk), draw.vector(dv), draw.unit(), 0};
            state = written(base(step), step, *coefficient(step));
          }
          for (std::size_t i = 0; i < dk * dv; ++i) reached(run, i) = state(i / dv, i % dv);
        }
        const auto is = static_cast<std::int64_t>(rank(reached));
        if (is == says(size)) return std::nullopt;
        return fmt::format("the states reached span {} dimensions, not {}", is, says(size));
      },
      size_inputs);
}

Claim memory() {
  return {"kla.state-size",
          {"kla", "Section 4", "5-6"},
          "between tokens the recurrence keeps dk dv numbers, however many tokens there were",
          "",
          "the rank, exactly, of the states that random runs of 1 to 4 tokens reach: no fewer "
          "numbers would do, and the "
          "state holds no more; dk, dv to 4",
          bound(state_size, SizeFormula([](const LayerSize& size) { return size.dk * size.dv; })),
          {{"it keeps dk + dv numbers", Outcome::refuted,
            bound(state_size, SizeFormula([](const LayerSize& size) { return size.dk + size.dv; }))},
           {"it keeps dk for every token", Outcome::refuted,
            bound(state_size, SizeFormula([](const LayerSize& size) { return size.dk * size.tokens; }))}}};
}

/// What is kept of a step for its gradient.
using Kept = std::function<std::string(const Step&)>;

/// Two steps of which the same is kept have the same gradient by alpha: (I - beta k k^T) S, dk = dv
/// = 1.
Result gradient_from(const Effort& effort, const Kept& kept, bool enough) {
  const std::vector<Step> all = steps(effort, {.decay = {1, Rational(1, 2)}, .eta = {1, Rational(1, 2)}});
  std::map<std::string, std::pair<std::string, const Step*>> seen;
  const auto gradient = [](const Step& step) {
    return text(step.before - *coefficient(step) * outer(step.k, transposed_times(step.before, step.k)));
  };
  const Step* first = nullptr;
  const Result found = search(
      all,
      [&](const Step& step) -> Fault {
        const std::string slope = gradient(step);
        const auto [entry, fresh] = seen.emplace(kept(step), std::pair(slope, &step));
        if (fresh || entry->second.first == slope) return std::nullopt;
        first = entry->second.second;
        return fmt::format("of both steps {} is kept, and dS+/dalpha is {} and {}", entry->first, entry->second.first,
                           slope);
      },
      [&](const Step& step) {
        std::vector<Named> pair = inputs_of(*first, "aSkvn");
        for (Named& each : inputs_of(step, "aSkvn")) pair.push_back({each.name + " of the other", each.value});
        return pair;
      });
  return enough ? found : contrary(found, inputs_of(all.front(), "aSkvn"));
}

std::string final_state(const Step& step) { return "S+ = " + text(written(base(step), step, *coefficient(step))); }

std::string inputs_and_state(const Step& step) {
  std::string all = "the step";
  for (const Named& each : inputs_of(step, "aSkvne")) all.append(" ").append(each.name).append(" ").append(each.value);
  return all;
}

Claim training() {
  return {"kla.training-memory",
          {"kla", "Section 4", "5-6", Voice::derived},
          "a state of fixed size does not make training one of constant memory: the last state "
          "alone does not determine "
          "the gradients",
          "",
          "two steps that end in the same state and differ in dS+/dalpha are searched for, exactly",
          bound(gradient_from, Kept(final_state), false),
          {{"the last state determines them", Outcome::refuted, bound(gradient_from, Kept(final_state), true)},
           {"the inputs of the token and the state before it determine them", Outcome::holds,
            bound(gradient_from, Kept(inputs_and_state), true)}}};
}

}  // namespace

std::vector<Claim> kla_memory_claims() { return {memory(), training()}; }

}  // namespace deltaproof::claims
