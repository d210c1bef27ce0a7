// What the tables do not have: runs of other seeds, results of a variant, a length.
#include <algorithm>

#include "properties/claims/kla_figure_checks.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

using Text = std::string;
using Row = std::vector<Text>;

bool held(const Text& key) {
  const Row keys = figure_keys("kla");
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// The first figure of the row is the best, if all of them are held.
Result best_if_held(const Effort& effort, const Row& row, Better better) {
  for (const Text& key : row) {
    if (held(key)) continue;
    Result found;
    found.cases = 1;
    found.finding = fmt::format("there is no figure to decide it: {}", key);
    return found;
  }
  return first_is_best(effort, {row}, better);
}

/// KLA's gain over GDN exceeds the spread of runs that differ in the seed alone; an empty spread is not published.
Result gain_beyond_seeds(const Effort&, const Text& spread) {
  const Rational gain = figure("kla", "ppl.gdn").value - figure("kla", "ppl.kla").value;
  Result found;
  found.cases = 1;
  found.numbers = {{"gain", decimal(gain, 2)}, {"runs of each model", "1"}};
  if (spread.empty()) {
    found.finding = fmt::format(
        "the gain of {} is one of single runs: how far runs of one model differ is not published", decimal(gain, 2));
    return found;
  }
  found.outcome = gain > printed(spread).value ? Outcome::holds : Outcome::refuted;
  found.finding = fmt::format("the gain is {}, the spread {}", decimal(gain, 2), spread);
  if (found.outcome == Outcome::refuted) {
    found.counterexample =
        Counterexample{{{"gain", decimal(gain, 2)}, {"spread", spread}}, "the spread is not below the gain"};
  }
  return found;
}

Claim seeds() {
  return {"kla.perplexity-seeds",
          {"kla", "Section 5.2, Table 1; Appendix C", "2, 6, 18", Voice::reading},
          "the gain of 0.41 in perplexity over GDN is more than another seed would change",
          "",
          "the gain is held against the spread of runs, of which there is one of each model",
          bound(gain_beyond_seeds, Text()),
          {{"it is, if runs of one model differ by 0.50", Outcome::refuted, bound(gain_beyond_seeds, Text("0.50"))},
           {"it is, if runs of one model differ by 0.10", Outcome::holds, bound(gain_beyond_seeds, Text("0.10"))}}};
}

Claim by_position() {
  return {"kla.position-decay",
          {"kla", "Table 5; Appendix D", "9, 19", Voice::reading},
          "the learned gate has a lower perplexity than a coefficient that decays with the position (1/t)",
          "",
          "Appendix D lists the variant; a figure of it would be held against the default's",
          bound(best_if_held, Row{"ablation.default.ppl", "ablation.position.ppl"}, Better::lower),
          {{"it has a lower one than a learned scalar", Outcome::holds,
            bound(best_if_held, Row{"ablation.default.ppl", "ablation.scalar.ppl"}, Better::lower)},
           {"it has a lower one than GLA", Outcome::refuted,
            bound(best_if_held, Row{"ablation.default.ppl", "ablation.gla.ppl"}, Better::lower)}}};
}

Claim palindrome() {
  return {"kla.palindrome-512",
          {"kla", "Section 5.3, Table 4", "7-8"},
          "Palindrome at 512: the accuracy of KLA is below that of GDN",
          "",
          "the reading notes say so and do not give the two figures; with them they would be held against each other",
          bound(best_if_held, Row{"palindrome.gdn.512", "palindrome.kla.512"}, Better::higher),
          {{"it is below at 2048", Outcome::holds,
            bound(best_if_held, Row{"palindrome.gdn.2048", "palindrome.kla.2048"}, Better::higher)},
           {"in Stack it is below at 2048", Outcome::refuted,
            bound(best_if_held, Row{"stack.gdn.2048", "stack.kla.2048"}, Better::higher)}}};
}

/// The weight that a token gets, from the logit b of its gate.
using Weight = std::function<Rational(std::int64_t logit)>;

Rational learned_scalar(std::int64_t) { return 1; }

/// 1/(1 + 2^-b): rational, and as sigmoid rising from 0 to 1.
Rational gate(std::int64_t logit) {
  Rational power = 1;
  for (std::int64_t i = 0; i < std::abs(logit); ++i) power *= logit > 0 ? Rational(1, 2) : Rational(2);
  return 1 / (1 + power);
}

/// Tokens of different logits get different weights.
Result weighs_tokens(const Effort&, const Weight& weight) {
  std::vector<std::pair<std::int64_t, std::int64_t>> tokens;
  for (std::int64_t one = 0; one <= 4; ++one) {
    for (std::int64_t other = -4; other < one; ++other) tokens.emplace_back(one, other);
  }
  return search(
      tokens,
      [&](const auto& two) -> Fault {
        if (weight(two.first) != weight(two.second)) return std::nullopt;
        return fmt::format("both tokens get the weight {}", text(weight(two.first)));
      },
      [](const auto& two) {
        return std::vector<Named>{{"logits of two tokens", fmt::format("{} and {}", two.first, two.second)}};
      });
}

Claim scalar() {
  return {"kla.scalar-gate",
          {"kla", "Table 5; Appendix D", "9, 19", Voice::reading},
          "the row Learned Scalar is one of a gate: each token gets a weight of its own",
          "",
          "Appendix D: a parameter that starts at 1, and no function of the token; two tokens of different logits are "
          "tried",
          bound(weighs_tokens, Weight(learned_scalar)),
          {{"a gate that rises with the logit of the token, as sigmoid does, gives each token a weight of its own",
            Outcome::holds, bound(weighs_tokens, Weight(gate))},
           {"a gate of the size of the logit alone does", Outcome::refuted,
            bound(weighs_tokens, Weight([](std::int64_t logit) { return gate(std::abs(logit)); }))}}};
}

}  // namespace

std::vector<Claim> kla_missing_claims() { return {seeds(), by_position(), palindrome(), scalar()}; }

}  // namespace deltaproof::claims
