#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_steps.hpp"

namespace deltaproof::claims {
namespace {

/// Two tokens from an empty state, beta = 1.
struct TwoTokens {
  RationalVector key[2];
  Rational value[2], alpha = 1;
};

std::vector<Named> inputs_of(const TwoTokens& tokens) {
  return {{"k1", text(tokens.key[0])},
          {"v1", text(tokens.value[0])},
          {"k2", text(tokens.key[1])},
          {"v2", text(tokens.value[1])},
          {"alpha", text(tokens.alpha)}};
}

/// The state, and |e| of the first token and of the second, when `first` is read first.
RationalMatrix state_and_scores(const TwoTokens& tokens, int first) {
  RationalMatrix state(tokens.key[0].size(), 1);
  RationalVector result(2);
  for (const int token : {first, 1 - first}) {
    const DeltaStep step{state, tokens.key[token], {tokens.value[token]}, {}, 1, tokens.alpha};
    result[static_cast<std::size_t>(token)] = abs(residual(step).front());
    state = after(step);
  }
  for (std::size_t i = 0; i < state.rows(); ++i) result.push_back(state(i, 0));
  return row(result);
}

std::vector<TwoTokens> all_tokens() {
  std::vector<TwoTokens> all;
  const std::vector<std::vector<RationalVector>> keys{{{1}, {-1}}, {{1, 0}, {0, 1}, {Rational(3, 5), Rational(4, 5)}}};
  for (const std::vector<RationalVector>& of_dimension : keys) {
    for (const Rational& alpha : {Rational(1), Rational(1, 2)}) {
      for (int first = 0; first <= 2; ++first) {
        for (int second = 0; second <= 2; ++second) {
          for (const RationalVector& a : of_dimension) {
            for (const RationalVector& b : of_dimension) all.push_back({{a, b}, {first, second}, alpha});
          }
        }
      }
    }
  }
  return all;
}

using Statement = Universal<TwoTokens>;

Check check_of(const Statement& statement) {
  return [statement](const Effort&) { return decide(statement, all_tokens()); };
}

Claim token_order() {
  const auto orthogonal = [](const TwoTokens& tokens) { return dot(tokens.key[0], tokens.key[1]) == 0; };
  const Statement stated{{"scores and state", [](const TwoTokens& tokens) { return state_and_scores(tokens, 0); }},
                         Relation::equal,
                         {"scores and state with the tokens the other way round",
                          [](const TwoTokens& tokens) { return state_and_scores(tokens, 1); }},
                         {},
                         {},
                         "Neither token reads what the other wrote."};
  Statement corrected = stated, decayed = stated;
  corrected.premise = {"orthogonal keys, alpha = 1",
                       [=](const TwoTokens& tokens) { return orthogonal(tokens) && tokens.alpha == 1; }};
  decayed.premise = {"orthogonal keys", orthogonal};
  return {
      "hola.token_order",
      {"hola", "Section 3.3", "6", Voice::reading},
      "tokens may come in any order, too: scores and state do not depend on it",
      "unit keys",
      "exact: two tokens, values 0 to 2, unit keys of one and two channels, beta = 1, alpha 1 and 1/2; smallest first",
      check_of(stated),
      {{"they do not where the keys are orthogonal and nothing decays", Outcome::holds, check_of(corrected)},
       {"they do not where the keys are orthogonal, with decay", Outcome::refuted, check_of(decayed)}}};
}

}  // namespace

std::vector<Claim> hola_order_claims() { return {token_order()}; }

}  // namespace deltaproof::claims
