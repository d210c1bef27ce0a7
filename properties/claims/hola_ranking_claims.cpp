#include <algorithm>

#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_steps.hpp"

namespace deltaproof::claims {
namespace {

/// Tokens from an empty state without decay; one entry is kept.
struct Sequence {
  std::vector<RationalVector> keys;
  RationalVector values, betas;
};

std::vector<Named> inputs_of(const Sequence& sequence) {
  std::string keys;
  for (const RationalVector& key : sequence.keys) keys.append(keys.empty() ? "" : " ").append(text(key));
  return {{"k", keys}, {"v", text(sequence.values)}, {"beta", text(sequence.betas)}, {"w", "1"}};
}

/// Norms of the residuals (values have one channel), and the state at the end.
struct Written {
  RationalVector residuals;
  RationalMatrix state;
};

Written write_all(const Sequence& sequence) {
  Written result{{}, RationalMatrix(sequence.keys.front().size(), 1)};
  for (std::size_t t = 0; t < sequence.keys.size(); ++t) {
    const DeltaStep step{result.state, sequence.keys[t], {sequence.values[t]}, {}, sequence.betas[t], 1};
    result.residuals.push_back(abs(residual(step).front()));
    result.state = after(step);
  }
  return result;
}

/// What a score is worked out from.
struct Token {
  Rational residual;  ///< its norm
  Rational beta, value;
};
using Score = std::function<Rational(const Token&)>;
Rational product(const Token& token) { return token.beta * token.residual; }
Rational alone(const Token& token) { return token.residual; }
Rational of_value(const Token& token) { return token.beta * abs(token.value); }
Rational beta_alone(const Token& token) { return token.beta; }

/// The token kept: the earliest of the largest score.
std::size_t kept(const Sequence& sequence, const Score& score) {
  const RationalVector residuals = write_all(sequence).residuals;
  const auto at = [&](std::size_t t) { return score({residuals[t], sequence.betas[t], sequence.values[t]}); };
  std::size_t best = 0;
  for (std::size_t t = 1; t < residuals.size(); ++t) {
    if (at(t) > at(best)) best = t;
  }
  return best;
}

/// Every key is asked for once: the kept entry answers exactly, the state answers for the others. Sum of squared
/// errors.
Rational read_error(const Sequence& sequence, std::size_t kept) {
  const RationalMatrix state = write_all(sequence).state;
  Rational sum = 0;
  for (std::size_t t = 0; t < sequence.keys.size(); ++t) {
    const Rational error = sequence.values[t] - transposed_times(state, sequence.keys[t]).front();
    if (t != kept) sum += error * error;
  }
  return sum;
}

Rational least_error(const Sequence& sequence) {
  Rational least = read_error(sequence, 0);
  for (std::size_t t = 1; t < sequence.keys.size(); ++t) least = std::min(least, read_error(sequence, t));
  return least;
}

/// Two or three tokens with keys (1, 0) and (0, 1), values 1 to 3, beta 1, 3/4, 1/2, 1/4; small ones first.
std::vector<Sequence> sequences() {
  const std::vector<RationalVector> keys{{1, 0}, {0, 1}};
  std::vector<Sequence> all;
  const auto grow = [&](const auto& self, const Sequence& begun, std::size_t length) -> void {
    if (begun.keys.size() == length) return all.push_back(begun);
    for (const RationalVector& key : keys) {
      for (int value = 1; value <= 3; ++value) {
        for (int quarters = 4; quarters >= (length == 2 ? 1 : 3); --quarters) {
          Sequence next = begun;
          next.keys.push_back(key);
          next.values.push_back(value);
          next.betas.push_back(Rational(quarters, 4));
          self(self, next, length);
        }
      }
    }
  };
  grow(grow, {}, 2);
  grow(grow, {}, 3);
  std::stable_sort(all.begin(), all.end(), [](const Sequence& a, const Sequence& b) {
    return complexity_of(a.values) + complexity_of(a.betas) < complexity_of(b.values) + complexity_of(b.betas);
  });
  return all;
}

using SequenceStatement = Universal<Sequence>;

Check check_of(const SequenceStatement& statement) {
  return [statement](const Effort&) { return decide(statement, sequences()); };
}

/// `score` keeps what `reference` does.
SequenceStatement same_choice(const Score& score, const std::string& name, const Score& reference = product,
                              const std::string& reference_name = "beta |e|") {
  const auto position = [](const Score& by) {
    return [by](const Sequence& sequence) { return number(static_cast<std::int64_t>(kept(sequence, by))); };
  };
  return {{"position kept by " + reference_name, position(reference)},
          Relation::equal,
          {"position kept by " + name, position(score)},
          {},
          {},
          "A common factor leaves the order as it is."};
}

bool same_beta(const Sequence& sequence) {
  return std::all_of(sequence.betas.begin(), sequence.betas.end(),
                     [&](const Rational& beta) { return beta == sequence.betas.front(); });
}

Claim ranking() {
  SequenceStatement stated = same_choice(alone, "|e|"), corrected = stated;
  corrected.premise = {"the same beta", same_beta};
  const Score inverse = [](const Token& token) -> Rational { return -token.residual; };
  return {
      "hola.residual_alone_ranks",
      {"hola", "Sections 3.3 and 4.5, Table 4", "5, 9", Voice::reading},
      "ranking by the residual alone, |e|, keeps what beta |e| keeps",
      "unit keys, no decay, w = 1",
      "exact, all sequences of 2 or 3 tokens over two orthogonal keys, values 1 to 3, beta in quarters; smallest first",
      noting(check_of(stated), "The source says the opposite: in Table 4 |e| alone is the worst at far recall."),
      {{"it does where all tokens have the same beta", Outcome::holds, check_of(corrected)},
       {"ranking by -|e| does", Outcome::refuted, check_of(same_choice(inverse, "-|e|"))}}};
}

/// Table 4 has a row beta |v|: what it leaves out is the residual, what it brings in is the value's norm.
Claim value_row() {
  const SequenceStatement stated = same_choice(of_value, "beta |v|", beta_alone, "beta");
  SequenceStatement corrected = stated;
  corrected.premise = {"all values have one norm", [](const Sequence& sequence) {
                         return std::all_of(sequence.values.begin(), sequence.values.end(), [&](const Rational& value) {
                           return abs(value) == abs(sequence.values.front());
                         });
                       }};
  return {
      "hola.gate_ablation",
      {"hola", "Table 4; Section 4.5", "9", Voice::reading},
      "the row beta |v| of Table 4 is an ablation that leaves beta alone: it keeps what beta keeps",
      "w = 1",
      "exact, all sequences of 2 or 3 tokens over two orthogonal keys, values 1 to 3, beta in quarters; smallest first",
      check_of(stated),
      {{"it keeps what beta keeps where all values have one norm", Outcome::holds, check_of(corrected)},
       {"it keeps what beta |e| keeps", Outcome::refuted, check_of(same_choice(of_value, "beta |v|"))}}};
}

SequenceStatement least(const Score& score, const std::string& name) {
  return {{"squared read error with what " + name + " keeps",
           [score](const Sequence& sequence) { return number(read_error(sequence, kept(sequence, score))); }},
          Relation::at_most,
          {"least squared read error", [](const Sequence& sequence) { return number(least_error(sequence)); }},
          {},
          {},
          "Orthogonal keys leave (1 - beta) e of each token, so that the largest |e| is the largest error."};
}

Claim optimal() {
  SequenceStatement stated = least(product, "beta |e|"), corrected = stated;
  corrected.premise = {"orthogonal keys and the same beta", [](const Sequence& sequence) {
                         return sequence.keys.size() == 2 && sequence.keys[0] != sequence.keys[1] &&
                                same_beta(sequence);
                       }};
  return {
      "hola.score_always_optimal",
      {"hola", "Section 3.3", "5", Voice::reading},
      "keeping the entries with the largest beta |e| always leaves the least read error",
      "every key is asked for once; a kept entry answers exactly, the state for the others; no decay, w = 1",
      "exact, all sequences of 2 or 3 tokens over two orthogonal keys, values 1 to 3, beta in quarters; smallest first",
      check_of(stated),
      {{"it does for two orthogonal keys with the same beta", Outcome::holds, check_of(corrected)},
       {"keeping the largest |e| does", Outcome::refuted, check_of(least(alone, "|e|"))}}};
}

}  // namespace

std::vector<Claim> hola_ranking_claims() { return {ranking(), value_row(), optimal()}; }

}  // namespace deltaproof::claims
