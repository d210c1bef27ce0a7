#include <algorithm>

#include "properties/claims/exact_elimination.hpp"
#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_steps.hpp"

namespace deltaproof::claims {
namespace {

struct RankStatement {
  std::string name;
  std::function<std::size_t(std::size_t dk, std::size_t dv)> bound;
  bool reached = false;   ///< some run reaches it, too
  std::string condition;  ///< where it is reached only if dv >= dk
};

/// The largest rank of the states of random runs of 6 tokens.
std::size_t largest_rank(RationalDraw& draw, std::size_t dk, std::size_t dv) {
  std::size_t largest = 0;
  for (int run = 0; run < 3; ++run) {
    DeltaStep step;
    step.state = RationalMatrix(dk, dv);
    for (int t = 0; t < 6; ++t) {
      step.key = unit_vector(draw, dk);
      step.value = draw.nonzero_vector(dv);
      step.beta = draw.unit();
      step.alpha = run == 0 ? Rational(1) : draw.unit();
      step.state = after(step);
      largest = std::max(largest, rank(step.state));
    }
  }
  return largest;
}

Check rank_check(const RankStatement& statement) {
  return [statement](const Effort& effort) {
    RationalDraw draw(effort.seed + 2);
    Result result;
    bool above = false, short_of_it_at_dv = false;
    for (std::size_t sum = 2; sum <= 8; ++sum) {
      for (std::size_t dk = 1; dk <= 4; ++dk) {
        if (sum <= dk || sum - dk > 4) continue;
        const std::size_t dv = sum - dk, largest = largest_rank(draw, dk, dv), bound = statement.bound(dk, dv);
        result.cases += 18;
        if (largest <= bound && (!statement.reached || largest == bound)) continue;
        above = above || largest > bound;
        short_of_it_at_dv = short_of_it_at_dv || dv >= dk;
        if (result.counterexample) continue;
        result.counterexample =
            Counterexample{{{"dk", std::to_string(dk)}, {"dv", std::to_string(dv)}},
                           fmt::format("the largest rank is {}, where {} is {}", largest, statement.name, bound)};
      }
    }
    result.numbers = {{"states", std::to_string(result.cases)}};
    const bool conditional = result.counterexample && !above && !short_of_it_at_dv && !statement.condition.empty();
    result.outcome = !result.counterexample ? Outcome::holds : conditional ? Outcome::conditional : Outcome::refuted;
    if (conditional) result.condition = statement.condition;
    result.finding =
        result.counterexample
            ? fmt::format("Of {} states of random runs, dk and dv to 4: {}.", result.cases,
                          result.counterexample->shows)
            : fmt::format(
                  "No counterexample in {} states of random runs, dk and dv to 4. A dk x dv matrix has rank at most "
                  "min(dk, dv), which is less than dk where dv is.",
                  result.cases);
    return result;
  };
}

std::size_t of_keys(std::size_t dk, std::size_t) { return dk; }
std::size_t of_both(std::size_t dk, std::size_t dv) { return std::min(dk, dv); }

Claim bound() {
  return {"hola.rank_bound",
          {"hola", "Section 3.1", "4", Voice::stated},
          "the rank of the state is at most dk",
          "",
          "exact ranks of the states of random runs; that a matrix has no more rank than rows is the proof",
          rank_check({"dk", of_keys, false, {}}),
          {{"it is at most min(dk, dv), and some run reaches that", Outcome::holds,
            rank_check({"min(dk, dv)", of_both, true, {}})},
           {"it is at most dk - 1", Outcome::refuted,
            rank_check({"dk - 1", [](std::size_t dk, std::size_t) { return dk - 1; }, false, {}})}}};
}

Claim reached() {
  return {"hola.rank_capacity",
          {"hola", "Section 3.1", "4", Voice::reading},
          "the capacity of the state, as its rank, is dk: runs reach rank dk",
          "",
          "exact ranks of the states of random runs of 6 tokens, smallest dk + dv first",
          rank_check({"dk", of_keys, true, "dv >= dk"}),
          {{"it is min(dk, dv)", Outcome::holds, rank_check({"min(dk, dv)", of_both, true, {}})},
           {"it is dk + dv", Outcome::refuted,
            rank_check({"dk + dv", [](std::size_t dk, std::size_t dv) { return dk + dv; }, true, {}})}}};
}

/// How many pairs with different unit keys a state of dk key channels reads exactly.
struct FactLimit {
  std::function<std::size_t(std::size_t dk)> most;
  bool whatever_values = false;  ///< the keys are given, and every values are to be read
};

/// Unit keys in rows. One channel has two of them, the second minus the first.
RationalMatrix unit_keys(RationalDraw& draw, std::size_t pairs, std::size_t dk) {
  RationalMatrix keys(pairs, dk);
  for (std::size_t i = 0; i < pairs; ++i) {
    const RationalVector key = dk == 1 ? RationalVector{i % 2 == 0 ? 1 : -1} : unit_vector(draw, dk);
    for (std::size_t j = 0; j < dk; ++j) keys(i, j) = key[j];
  }
  return keys;
}

/// Whether some state reads these values: K S = V can be solved just if V adds nothing to the rank.
bool some_state_reads(const RationalMatrix& keys, const RationalMatrix& values) {
  return rank(beside(keys, values)) == rank(keys);
}

RationalMatrix column(const RationalVector& values) { return row(values).transposed(); }

/// Values to try: each pair's 1 with the others' 0 (together they are all values), then drawn ones, then some that are
/// linear in the keys.
std::vector<RationalMatrix> values_for(RationalDraw& draw, const RationalMatrix& keys) {
  std::vector<RationalMatrix> all;
  for (std::size_t i = 0; i < keys.rows(); ++i) {
    RationalVector one(keys.rows());
    one[i] = 1;
    all.push_back(column(one));
  }
  for (int i = 0; i < 3; ++i) all.push_back(column(draw.vector(keys.rows())));
  all.push_back(keys * column(draw.nonzero_vector(keys.columns())));
  return all;
}

Check fact_limit(const FactLimit& statement) {
  return [statement](const Effort& effort) {
    RationalDraw draw(effort.seed + 3);
    Result result;
    for (std::size_t dk = 1; dk <= 3; ++dk) {
      for (std::size_t pairs = 1; pairs <= (dk == 1 ? 2 : 5); ++pairs) {
        const RationalMatrix keys = unit_keys(draw, pairs, dk);
        std::size_t read = 0;
        std::optional<RationalMatrix> example;
        const std::vector<RationalMatrix> tried = values_for(draw, keys);
        for (const RationalMatrix& values : tried) {
          ++result.cases;
          if (!some_state_reads(keys, values)) continue;
          ++read;
          if (!example) example = values;
        }
        const bool recalled = statement.whatever_values ? read == tried.size() : read > 0;
        if (!recalled || pairs <= statement.most(dk) || result.counterexample) continue;
        result.counterexample =
            Counterexample{{{"dk", std::to_string(dk)}, {"keys", text(keys)}, {"values", text(*example)}},
                           fmt::format("{} pairs{} are read exactly by a state of {} key channel(s)", pairs,
                                       statement.whatever_values ? ", whatever their values," : "", dk)};
      }
    }
    result.numbers = {{"systems", std::to_string(result.cases)}};
    result.outcome = result.counterexample ? Outcome::refuted : Outcome::holds;
    result.finding = result.counterexample
                         ? fmt::format("{}: of keys and values side by side the rank is that of the keys.",
                                       result.counterexample->shows)
                         : fmt::format(
                               "In {} systems no more. More than dk keys of dk channels are dependent, and values "
                               "that do not depend on each other alike cannot be read.",
                               result.cases);
    return result;
  };
}

Claim facts() {
  const auto dk_pairs = [](std::size_t dk) { return dk; };
  const auto fewer = [](std::size_t dk) { return dk - 1; };
  return {"hola.fact_limit",
          {"hola", "Sections 1 and 3.1", "2-4", Voice::reading},
          "a state with dk key channels never reads more than dk pairs exactly, not even where the values happen to "
          "suit the keys",
          "unit keys",
          "exact: K S = V is solved if the rank of K beside V is that of K; 1 to 3 key channels, up to 5 pairs, unit, "
          "drawn and linear values, smallest first",
          fact_limit({dk_pairs, false}),
          {{"it reads no more than dk pairs whatever their values: of dk + 1 some values cannot be read",
            Outcome::holds, fact_limit({dk_pairs, true})},
           {"it reads no more than dk - 1 pairs whatever their values", Outcome::refuted, fact_limit({fewer, true})}}};
}

}  // namespace

std::vector<Claim> hola_rank_claims() { return {bound(), reached(), facts()}; }

}  // namespace deltaproof::claims
