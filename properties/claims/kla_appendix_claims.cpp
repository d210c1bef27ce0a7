#include "properties/claims/kla_chunk.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

/// Product of alpha_r (I - beta_r k_r k_r^T) over the tokens from `from` up to `to`, to the right
/// in this order: R = S^T is multiplied from the right.
RationalMatrix transition(const Chunk& chunk, std::size_t from, std::size_t to) {
  RationalMatrix product = RationalMatrix::identity(chunk.keys.columns());
  for (std::size_t r = from; r < to; ++r) {
    const RationalVector k = row(chunk.keys, r);
    product = product * (chunk.decay[r] * (RationalMatrix::identity(k.size()) - chunk.beta[r] * outer(k, k)));
  }
  return product;
}

struct Shape {
  std::size_t dk, dv;
};

/// Columns of the left factor and rows of the right one.
using Inner = std::function<std::pair<std::size_t, std::size_t>(const Shape&)>;

/// The product conforms for every dk and dv; `conditional` if it does for dk = dv.
Result conforms(const Effort&, const Inner& inner) {
  std::vector<Shape> all;
  for (std::size_t sum = 2; sum <= 8; ++sum) {
    for (std::size_t dk = 1; dk < sum; ++dk) all.push_back({dk, sum - dk});
  }
  const auto faulty = [&](const Shape& shape) -> Fault {
    const auto [columns, rows] = inner(shape);
    if (columns == rows) return std::nullopt;
    return fmt::format("a matrix of {} columns stands before one of {} rows", columns, rows);
  };
  const auto inputs = [](const Shape& shape) {
    return std::vector<Named>{{"dk", std::to_string(shape.dk)}, {"dv", std::to_string(shape.dv)}};
  };
  Result found = search(all, faulty, inputs);
  if (found.outcome != Outcome::refuted) return found;
  std::erase_if(all, [](const Shape& shape) { return shape.dk != shape.dv; });
  if (search(all, faulty, inputs).outcome != Outcome::holds) return found;
  found.outcome = Outcome::conditional;
  found.condition = "dk = dv";
  return found;
}

enum class Earlier { state_times_p, p_times_state, decayed };
enum class Source { value_key, write_key, key_write };

struct Formula {
  Earlier earlier;
  Source source;
  Ratio ratio = quotient_ratio;
};

/// What the earlier state gives to R_i.
std::optional<RationalMatrix> earlier(const Chunk& chunk, const Formula& formula, std::size_t tokens) {
  const RationalMatrix r0 = chunk.before.transposed(), p = transition(chunk, 0, tokens);
  if (formula.earlier == Earlier::state_times_p) return r0 * p;
  if (formula.earlier == Earlier::p_times_state) {
    if (p.columns() != r0.rows()) return std::nullopt;
    return p * r0;
  }
  Rational gamma = 1;
  for (std::size_t r = 0; r < tokens; ++r) gamma *= chunk.decay[r];
  return gamma * r0;
}

/// What token j gives to R_i (i = tokens).
RationalMatrix source(const Chunk& chunk, const Formula& formula, const Recurred& run, std::size_t j,
                      std::size_t tokens) {
  const RationalVector k = row(chunk.keys, j), u = row(run.u, j);
  if (formula.source == Source::value_key) {
    return chunk.beta[j] * outer(row(chunk.values, j), k) * transition(chunk, j + 1, tokens);
  }
  const Rational ratio = *formula.ratio(chunk.decay, tokens - 1, j);
  return ratio * (formula.source == Source::write_key ? outer(u, k) : outer(k, u));
}

/// R_i = (what the earlier state gives) + the sum of what the tokens give, on square states (dk =
/// dv).
Result formula_gives_states(const Effort& effort, const Formula& formula) {
  std::vector<Chunk> all = chunks(effort, {});
  std::erase_if(all, [](const Chunk& chunk) { return chunk.keys.columns() != chunk.values.columns(); });
  return search(
      all,
      [&](const Chunk& chunk) -> Fault {
        const Recurred run = recur(chunk);
        for (std::size_t i = 1; i <= chunk.tokens(); ++i) {
          RationalMatrix sum = earlier(chunk, formula, i).value();
          for (std::size_t j = 0; j < i; ++j) sum = sum + source(chunk, formula, run, j, i);
          if (sum == run.states[i - 1].transposed()) continue;
          return fmt::format("R_{} = S_{}^T is {}, the formula gives {}", i, i, text(run.states[i - 1].transposed()),
                             text(sum));
        }
        return std::nullopt;
      },
      [](const Chunk& chunk) { return inputs_of(chunk, false); });
}

const char* const method =
    "exact rational arithmetic against the recurrence on square states, chunks to C = 6, smallest "
    "first";

Claim shape() {
  return {"kla.appendix-product-shape",
          {"kla", "Appendix B.1-B.2", "15-17"},
          "with R = S^T of dv x dk and P_i of dk x dk the product P_i R_0 is defined",
          "",
          "the inner dimensions of every dk + dv to 8",
          bound(conforms, Inner([](const Shape& s) { return std::pair(s.dk, s.dv); })),
          {{"R_0 P_i is defined", Outcome::holds,
            bound(conforms, Inner([](const Shape& s) { return std::pair(s.dk, s.dk); }))},
           {"R_0 stacked on a row of ones, (dv + 1) x dk, may stand after P_i", Outcome::refuted,
            bound(conforms, Inner([](const Shape& s) { return std::pair(s.dk, s.dv + 1); }))}}};
}

Claim product_order() {
  return {"kla.appendix-product-order",
          {"kla", "Appendix B.1-B.2", "15-17"},
          "where dk = dv, P_i R_0 is what the earlier state gives to R_i (the rest being what the "
          "tokens give)",
          "dk = dv",
          method,
          bound(formula_gives_states, Formula{Earlier::p_times_state, Source::value_key}),
          {{"R_0 P_i is what the earlier state gives", Outcome::holds,
            bound(formula_gives_states, Formula{Earlier::state_times_p, Source::value_key})},
           {"gamma_i R_0 is what the earlier state gives, next to terms beta_j v_j k_j^T P_(j+1..i)", Outcome::refuted,
            bound(formula_gives_states, Formula{Earlier::decayed, Source::value_key})}}};
}

Claim mixed_sources() {
  return {"kla.appendix-mixed-terms",
          {"kla", "Appendix B.1-B.2", "15-17", Voice::reading},
          "in H_i a term k_j u_j^T may stand for v_j k_j^T: R_0 P_i plus the sum of "
          "(gamma_i/gamma_j) k_j u_j^T is R_i",
          "dk = dv (else the two have different shapes)",
          method,
          bound(formula_gives_states, Formula{Earlier::state_times_p, Source::key_write}),
          {{"R_0 P_i plus the sum of beta_j v_j k_j^T P_(j+1..i) is R_i", Outcome::holds,
            bound(formula_gives_states, Formula{Earlier::state_times_p, Source::value_key})},
           {"gamma_i R_0 plus the sum of (gamma_i/gamma_j) u_j k_j^T is R_i", Outcome::holds,
            bound(formula_gives_states, Formula{Earlier::decayed, Source::write_key})},
           {"R_0 P_i plus the sum of (gamma_i/gamma_j) u_j k_j^T is R_i", Outcome::refuted,
            bound(formula_gives_states, Formula{Earlier::state_times_p, Source::write_key})},
           {"gamma_i R_0 plus the sum of (gamma_i/gamma_j) k_j u_j^T is R_i", Outcome::refuted,
            bound(formula_gives_states, Formula{Earlier::decayed, Source::key_write})}}};
}

Claim two_ratios() {
  return {"kla.appendix-gamma",
          {"kla", "Appendix B.1, B.3", "15, 17", Voice::reading},
          "the decay from j to i, as defined first (gamma_i/gamma_(j-1)), weighs the write of token j "
          "in R_i",
          "no decay is 0",
          method,
          bound(formula_gives_states, Formula{Earlier::decayed, Source::write_key, quotient_before}),
          {{"as replaced later, gamma_i/gamma_j weighs it", Outcome::holds,
            bound(formula_gives_states, Formula{Earlier::decayed, Source::write_key, quotient_ratio})},
           {"gamma_i weighs it", Outcome::refuted,
            bound(formula_gives_states, Formula{Earlier::decayed, Source::write_key,
                                                [](const RationalVector& decay, std::size_t i, std::size_t) {
                                                  Rational gamma = 1;
                                                  for (std::size_t r = 0; r <= i; ++r) gamma *= decay[r];
                                                  return std::optional<Rational>(gamma);
                                                }})}}};
}

}  // namespace

std::vector<Claim> kla_appendix_claims() { return {shape(), product_order(), mixed_sources(), two_ratios()}; }

}  // namespace deltaproof::claims
