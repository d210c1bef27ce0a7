#include <algorithm>

#include "properties/claims/exact_elimination.hpp"
#include "properties/claims/kla_chunk.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

/// I + B (A o K K^T) is unit lower triangular with determinant 1.
Result triangle(const Effort& effort, const Form& form) {
  return search(
      chunks(effort, {}),
      [&](const Chunk& chunk) -> Fault {
        const std::optional<Parallel> parallel = in_parallel_form(chunk, form);
        if (!parallel) return "the matrix is singular";
        const RationalMatrix& system = parallel->system;
        for (std::size_t i = 0; i < system.rows(); ++i) {
          if (system(i, i) != 1) return fmt::format("the matrix is {}: its diagonal is not 1", text(system));
          for (std::size_t j = i + 1; j < system.columns(); ++j) {
            if (system(i, j) != 0) return fmt::format("the matrix is {}: not lower triangular", text(system));
          }
        }
        const Rational volume = determinant(system);
        if (volume == 1) return std::nullopt;
        return fmt::format("the determinant is {}", text(volume));
      },
      [](const Chunk& chunk) { return inputs_of(chunk, false); });
}

Claim unit_triangle() {
  return {"kla.chunk-unit-triangular",
          {"kla", "Section 4, Eq. (7)", "5-6"},
          "I + B (A- o K K^T) is unit lower triangular: its determinant is 1, and it can be inverted",
          "exact arithmetic",
          "exact: every entry above the diagonal is 0 and on it 1, and the determinant by elimination "
          "is 1; chunks to "
          "C = 6. In general the determinant of a triangular matrix is the product of its diagonal",
          bound(triangle, Form{}),
          {{"I + B (A o K K^T), with the diagonal of A, is unit lower triangular", Outcome::refuted,
            bound(triangle, Form{.diagonal_in_system = true})}}};
}

/// The equations against the recurrence where decays may be 0; `conditional` if those without are
/// not at fault.
Result with_zero_decays(const Effort& effort, const Form& form) {
  const auto faulty = [&](const Chunk& chunk) -> Fault {
    const std::optional<Parallel> parallel = in_parallel_form(chunk, form);
    if (!parallel) return "a ratio of A divides by gamma_j = 0, or the system is singular";
    const Recurred run = recur(chunk);
    if (parallel->u == run.u && parallel->o == run.o && parallel->after == run.states.back()) return std::nullopt;
    return fmt::format("the recurrence ends in {}, the equations in {}", text(run.states.back()),
                       text(parallel->after));
  };
  const auto inputs = [](const Chunk& chunk) { return inputs_of(chunk, true); };
  std::vector<Chunk> all = chunks(effort, {.zero_decays = true});
  Result found = search(all, faulty, inputs);
  if (found.outcome != Outcome::refuted) return found;
  std::erase_if(all, [](const Chunk& chunk) {
    return std::any_of(chunk.decay.begin(), chunk.decay.end(), [](const Rational& decay) { return decay == 0; });
  });
  if (search(all, faulty, inputs).outcome != Outcome::holds) return found;
  found.outcome = Outcome::conditional;
  found.condition = "no decay of the chunk is 0, or A_ij is taken as the product of the decays after j up to i";
  return found;
}

Claim zero_decay() {
  Form products, wrong{.diagonal_in_system = true};
  products.ratio = product_ratio;
  return {"kla.chunk-zero-decay",
          {"kla", "Section 4, Eqs (7)-(9)", "5-6", Voice::reading},
          "Eqs (7)-(9) give the recurrence for every forget gate in [0, 1]",
          "",
          "exact rational arithmetic against the recurrence, decays of 0 among them",
          bound(with_zero_decays, Form{}),
          {{"they do with A_ij as the product of the decays after j up to i", Outcome::holds,
            bound(with_zero_decays, products)},
           {"they do with the diagonal of A in the system", Outcome::refuted, bound(with_zero_decays, wrong)}}};
}

enum class Rows { raw, normalised };

/// Eq (8) on the rows of Q given, against the read S_i^T q_i/|q_i|.
Result read_rows(const Effort& effort, Rows rows) {
  const auto norm = [](const RationalVector& q) -> Rational { return q.size() == 1 ? q[0] : Rational(q[0] * 5 / 3); };
  std::vector<Chunk> all = chunks(effort, {.rational_query_norms = true});
  const auto faulty = [&](const Chunk& chunk) -> Fault {
    Chunk given = chunk, read = chunk;
    for (std::size_t i = 0; i < chunk.tokens(); ++i) {
      for (std::size_t j = 0; j < chunk.queries.columns(); ++j) read.queries(i, j) /= norm(row(chunk.queries, i));
    }
    if (rows == Rows::normalised) given = read;
    const RationalMatrix is = in_parallel_form(given, {}).value().o, should = recur(read).o;
    if (is == should) return std::nullopt;
    return fmt::format("the read gives {}, Eq. (8) {}", text(should), text(is));
  };
  Result found = search(all, faulty, [](const Chunk& chunk) { return inputs_of(chunk, true); });
  if (found.outcome != Outcome::refuted) return found;
  std::erase_if(all, [&](const Chunk& chunk) {
    for (std::size_t i = 0; i < chunk.tokens(); ++i) {
      if (norm(row(chunk.queries, i)) != 1) return true;
    }
    return false;
  });
  if (search(all, faulty, [](const Chunk& chunk) { return inputs_of(chunk, true); }).outcome != Outcome::holds)
    return found;
  found.outcome = Outcome::conditional;
  found.condition = "the rows of Q are normalised before (|q_i| = 1), as the read of Algorithm 1 does";
  return found;
}

/// The same with a key in place of a query: no condition on the norm of q mends that.
Result key_rows(const Effort& effort) {
  return search(
      chunks(effort, {.rational_query_norms = true}),
      [](const Chunk& chunk) -> Fault {
        Chunk keys = chunk;
        keys.queries = chunk.keys;
        const RationalMatrix is = in_parallel_form(keys, {}).value().o, should = recur(chunk).o;
        if (is == should) return std::nullopt;
        return fmt::format("the read gives {}, Eq. (8) with K {}", text(should), text(is));
      },
      [](const Chunk& chunk) { return inputs_of(chunk, true); });
}

Claim query_rows() {
  return {"kla.chunk-query-rows",
          {"kla", "Section 3.3, Algorithm 1; Section 4, Eq. (8)", "5, 5-6", Voice::reading},
          "Eq. (8) with the queries as they come gives the read of Algorithm 1, S_i^T q_i/|q_i|",
          "",
          "exact rational arithmetic on queries of rational norm",
          bound(read_rows, Rows::raw),
          {{"Eq. (8) with normalised rows of Q gives it", Outcome::holds, bound(read_rows, Rows::normalised)},
           {"Eq. (8) with K in place of Q gives it", Outcome::refuted, Check(key_rows)}}};
}

enum class Relation { rows_scale, equal };

/// The system of KLA's coefficients next to that of GDN's: the same but for B.
Result only_b(const Effort& effort, Relation relation) {
  const Rational eta(1, 2), eps(1, 1000000);
  return search(
      chunks(effort, {}),
      [&](const Chunk& chunk) -> Fault {
        Chunk kla = chunk, gdn = chunk;
        for (std::size_t i = 0; i < chunk.tokens(); ++i) {
          gdn.beta[i] = eta;
          kla.beta[i] = eta / (squared_norm(row(chunk.keys, i)) + eps);
        }
        const std::optional<Parallel> of_gdn = in_parallel_form(gdn, {}), of_kla = in_parallel_form(kla, {});
        for (std::size_t i = 0; i < chunk.tokens(); ++i) {
          const Rational scale = relation == Relation::equal ? Rational(1) : Rational(kla.beta[i] / gdn.beta[i]);
          for (std::size_t j = 0; j < i; ++j) {
            const Rational should = scale * of_gdn->system(i, j), is = of_kla->system(i, j);
            if (is != should) return fmt::format("entry ({}, {}) is {}, not {}", i + 1, j + 1, text(is), text(should));
          }
        }
        return std::nullopt;
      },
      [](const Chunk& chunk) { return inputs_of(chunk, false); });
}

Claim same_solver() {
  return {"kla.chunk-only-coefficients",
          {"kla", "Section 4", "5-6", Voice::derived},
          "against GDN only B changes: below the diagonal each row of KLA's system is GDN's times "
          "the ratio of the two "
          "coefficients",
          "both from the same gate",
          "exact rational arithmetic, eta = 1/2, epsilon = 10^-6; chunks to C = 6",
          bound(only_b, Relation::rows_scale),
          {{"the two systems are equal", Outcome::refuted, bound(only_b, Relation::equal)}}};
}

}  // namespace

std::vector<Claim> kla_system_claims() { return {unit_triangle(), zero_decay(), query_rows(), same_solver()}; }

}  // namespace deltaproof::claims
