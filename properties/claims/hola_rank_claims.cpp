#include <algorithm>

#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_steps.hpp"

namespace deltaproof::claims {
namespace {

std::size_t rank(RationalMatrix a) {
  std::size_t found = 0;
  for (std::size_t j = 0; j < a.columns() && found < a.rows(); ++j) {
    std::size_t pivot = found;
    while (pivot < a.rows() && a(pivot, j) == 0) ++pivot;
    if (pivot == a.rows()) continue;
    for (std::size_t c = 0; c < a.columns(); ++c) std::swap(a(pivot, c), a(found, c));
    for (std::size_t i = found + 1; i < a.rows(); ++i) {
      const Rational factor = a(i, j) / a(found, j);
      for (std::size_t c = j; c < a.columns(); ++c) a(i, c) -= factor * a(found, c);
    }
    ++found;
  }
  return found;
}

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
          {"hola", "Section 3.1", "4"},
          "The rank of the state is at most dk.",
          "",
          "exact ranks of the states of random runs; that a matrix has no more rank than rows is the proof",
          rank_check({"dk", of_keys, false, {}}),
          {{"It is at most min(dk, dv), and some run reaches that.", Outcome::holds,
            rank_check({"min(dk, dv)", of_both, true, {}})},
           {"It is at most dk - 1.", Outcome::refuted,
            rank_check({"dk - 1", [](std::size_t dk, std::size_t) { return dk - 1; }, false, {}})}}};
}

Claim reached() {
  return {"hola.rank_capacity",
          {"hola", "Section 3.1", "4"},
          "The capacity of the state, as its rank, is dk: runs reach rank dk.",
          "",
          "exact ranks of the states of random runs of 6 tokens, smallest dk + dv first",
          rank_check({"dk", of_keys, true, "dv >= dk"}),
          {{"It is min(dk, dv).", Outcome::holds, rank_check({"min(dk, dv)", of_both, true, {}})},
           {"It is dk + dv.", Outcome::refuted,
            rank_check({"dk + dv", [](std::size_t dk, std::size_t dv) { return dk + dv; }, true, {}})}}};
}

/// How many pairs with different unit keys the state holds, each read exactly.
struct FactLimit {
  std::function<std::size_t(std::size_t dk)> most;
  bool independent = false;  ///< of linearly independent keys only
};

/// Whether every pair is read exactly.
bool reads_all(const RationalMatrix& state, const RationalMatrix& keys, const RationalMatrix& values) {
  return keys * state == values;
}

/// Unit keys in rows. One channel has two of them, the second minus the first.
RationalMatrix unit_keys(RationalDraw& draw, std::size_t pairs, std::size_t dk) {
  RationalMatrix keys(pairs, dk);
  for (std::size_t i = 0; i < pairs; ++i) {
    const RationalVector key = dk == 1 ? RationalVector{i % 2 == 0 ? 1 : -1} : unit_vector(draw, dk);
    for (std::size_t j = 0; j < dk; ++j) keys(i, j) = key[j];
  }
  return keys;
}

Check fact_limit(const FactLimit& statement) {
  return [statement](const Effort& effort) {
    RationalDraw draw(effort.seed + 3);
    Result result;
    for (std::size_t dk = 1; dk <= 3; ++dk) {
      for (std::size_t pairs = 1; pairs <= (dk == 1 ? 2 : 5); ++pairs) {
        RationalMatrix state(dk, 1);
        for (std::size_t i = 0; i < dk; ++i) state(i, 0) = static_cast<int>(i) + 1;
        const RationalMatrix keys = unit_keys(draw, pairs, dk);
        // As many pairs as one likes, if their values are linear in their keys.
        const RationalMatrix values = keys * state;
        if (statement.independent && rank(keys) < pairs) continue;
        ++result.cases;
        if (!reads_all(state, keys, values) || pairs <= statement.most(dk) || result.counterexample) continue;
        result.counterexample = Counterexample{
            {{"dk", std::to_string(dk)}, {"keys", text(keys)}, {"values", text(values)}, {"S", text(state)}},
            fmt::format("{} pairs are read exactly from a state of {} key channel(s)", pairs, dk)};
      }
    }
    result.numbers = {{"states", std::to_string(result.cases)}};
    result.outcome = result.counterexample ? Outcome::refuted : Outcome::holds;
    result.finding = result.counterexample
                         ? fmt::format("{}, whose values are linear in their keys.", result.counterexample->shows)
                         : "Linearly independent keys of dk channels are at most dk.";
    return result;
  };
}

Claim facts() {
  const auto dk_pairs = [](std::size_t dk) { return dk; };
  const auto fewer = [](std::size_t dk) { return dk - 1; };
  return {"hola.fact_limit",
          {"hola", "Sections 1 and 3.1", "2-4"},
          "A state with dk key channels recalls at most dk pairs exactly.",
          "unit keys",
          "exact: states of 1 to 3 key channels and up to 5 pairs, smallest first",
          fact_limit({dk_pairs, false}),
          {{"It recalls at most dk pairs whose keys are linearly independent.", Outcome::holds,
            fact_limit({dk_pairs, true})},
           {"It recalls at most dk - 1 such pairs.", Outcome::refuted, fact_limit({fewer, true})}}};
}

}  // namespace

std::vector<Claim> hola_rank_claims() { return {bound(), reached(), facts()}; }

}  // namespace deltaproof::claims
