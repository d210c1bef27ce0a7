#include "properties/claims/kla_chunk.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

const char* const method =
    "exact rational arithmetic against the recurrence: all C = 1 over a grid, C = 2 with small "
    "entries, random chunks to "
    "C = 6, dk = 4, dv = 3, decays and coefficients from 1e-30; any coefficient, so GDN's as well";
const char* const nonzero = "no decay is 0: a condition of the reading notes";
const char* const as_read = "the rows of Q are normalised, as they are read";

enum class Part { u, o, state };

/// An equation against the recurrence; `conditional` if chunks without a decay of 0 are not at fault.
Result equation(const Effort& effort, Part part, const Form& form) {
  const auto faulty = [&](const Chunk& chunk) -> Fault {
    const std::optional<Parallel> parallel = in_parallel_form(chunk, form);
    if (!parallel) return "a ratio of A divides by gamma_j = 0, or the system has no single solution";
    const Recurred run = recur(chunk);
    const RationalMatrix& is = part == Part::u ? parallel->u : part == Part::o ? parallel->o : parallel->after;
    const RationalMatrix& should = part == Part::u ? run.u : part == Part::o ? run.o : run.states.back();
    if (is == should) return std::nullopt;
    return fmt::format("the recurrence gives {}, the equation {}", text(should), text(is));
  };
  const auto inputs = [&](const Chunk& chunk) { return inputs_of(chunk, part == Part::o); };
  const Result without = search(chunks(effort, {}), faulty, inputs);
  if (without.outcome != Outcome::holds) return without;
  Result found = search(chunks(effort, {.zero_decays = true}), faulty, inputs);
  found.cases += without.cases;
  if (found.outcome != Outcome::refuted) return found;
  found.outcome = Outcome::conditional;
  found.condition = "no decay of the chunk is 0; A_ij = gamma_i/gamma_j has no value otherwise (kla.chunk-zero-decay)";
  found.finding = fmt::format("no counterexample in {} chunks without a decay of 0; with one the equation divides by 0",
                              without.cases);
  return found;
}

Claim triangular() {
  return {"kla.chunk-eq-7",
          {"kla", "Section 4, Eq. (7); Appendix B.2-B.3", "5-6, 17"},
          "[I + B (A- o K K^T)] U = B (V - D_gamma K S_0) gives the rows u_i = beta_i e_i of the "
          "recurrence",
          "",
          method,
          bound(equation, Part::u, Form{}),
          {{"the same with A, diagonal and all, in place of A-", Outcome::refuted,
            bound(equation, Part::u, Form{.diagonal_in_system = true})},
           {"the same with K S_0 in place of D_gamma K S_0", Outcome::refuted,
            bound(equation, Part::u, Form{.decayed_readout = false})},
           {"the same with A_ij = gamma_i/gamma_(j-1)", Outcome::refuted,
            bound(equation, Part::u, Form{.ratio = quotient_before})}}};
}

Claim outputs() {
  return {"kla.chunk-eq-8",
          {"kla", "Section 4, Eq. (8); Appendix B.3", "5-6, 17-18"},
          "O = D_gamma Q S_0 + (A o Q K^T) U gives the outputs S_i^T q_i of the recurrence",
          as_read,
          method,
          bound(equation, Part::o, Form{}),
          {{"the same with the strictly lower part of A (a token does not read its own write)", Outcome::refuted,
            bound(equation, Part::o, Form{.diagonal_in_read = false})}}};
}

Claim state() {
  return {"kla.chunk-eq-9",
          {"kla", "Section 4, Eq. (9); Appendix B.4", "5-6, 18"},
          "S_out = gamma_C S_0 + K^T Diag(gamma_C/gamma_1, .., 1) U is the state after the chunk",
          "",
          method,
          bound(equation, Part::state, Form{}),
          {{"the same without the weights gamma_C/gamma_j", Outcome::refuted,
            bound(equation, Part::state, Form{.weights = false})},
           {"the same with weights gamma_C/gamma_(j-1)", Outcome::refuted,
            bound(equation, Part::state, Form{.ratio = quotient_before})}}};
}

/// Every state of the chunk from S_0 and the u_j of the recurrence.
Result expansion(const Effort& effort, const Ratio& ratio) {
  return search(
      chunks(effort, {}),
      [&](const Chunk& chunk) -> Fault {
        const Recurred run = recur(chunk);
        Rational gamma = 1;
        for (std::size_t i = 0; i < chunk.tokens(); ++i) {
          gamma *= chunk.decay[i];
          RationalMatrix sum = gamma * chunk.before;
          for (std::size_t j = 0; j <= i; ++j) {
            sum = sum + *ratio(chunk.decay, i, j) * outer(row(chunk.keys, j), row(run.u, j));
          }
          if (sum == run.states[i]) continue;
          return fmt::format("S_{} is {}, the sum gives {}", i + 1, text(run.states[i]), text(sum));
        }
        return std::nullopt;
      },
      [](const Chunk& chunk) { return inputs_of(chunk, false); });
}

Claim states() {
  return {"kla.chunk-expansion",
          {"kla", "Section 4; Appendix B.2", "5-6, 17", Voice::derived},
          "S_i = gamma_i S_0 + sum over j <= i of (gamma_i/gamma_j) k_j u_j^T",
          nonzero,
          method,
          bound(expansion, Ratio(quotient_ratio)),
          {{"the same with gamma_i/gamma_(j-1)", Outcome::refuted, bound(expansion, Ratio(quotient_before))}}};
}

/// u_i from the u_j before it.
Result writes(const Effort& effort, const Ratio& ratio) {
  return search(
      chunks(effort, {}),
      [&](const Chunk& chunk) -> Fault {
        const Recurred run = recur(chunk);
        Rational gamma = 1;
        for (std::size_t i = 0; i < chunk.tokens(); ++i) {
          gamma *= chunk.decay[i];
          const RationalVector k = row(chunk.keys, i), old = transposed_times(chunk.before, k);
          for (std::size_t c = 0; c < old.size(); ++c) {
            Rational left = chunk.values(i, c) - gamma * old[c];
            for (std::size_t j = 0; j < i; ++j) {
              left -= *ratio(chunk.decay, i, j) * run.u(j, c) * dot(row(chunk.keys, j), k);
            }
            const Rational said = chunk.beta[i] * left;
            if (said != run.u(i, c)) {
              return fmt::format("u_{} is {}, the sum gives {}", i + 1, text(run.u(i, c)), text(said));
            }
          }
        }
        return std::nullopt;
      },
      [](const Chunk& chunk) { return inputs_of(chunk, false); });
}

Claim effective_writes() {
  return {"kla.chunk-effective-write",
          {"kla", "Section 4; Appendix B.2", "5-6, 17", Voice::derived},
          "u_i = beta_i [v_i - gamma_i S_0^T k_i - sum over j < i of (gamma_i/gamma_j) u_j (k_j . "
          "k_i)]",
          nonzero,
          method,
          bound(writes, Ratio(quotient_ratio)),
          {{"the same with gamma_i/gamma_(j-1)", Outcome::refuted, bound(writes, Ratio(quotient_before))},
           {"the same without decay between the tokens (1 for gamma_i/gamma_j)", Outcome::refuted,
            bound(writes, Ratio([](const RationalVector&, std::size_t, std::size_t) { return Rational(1); }))}}};
}

}  // namespace

std::vector<Claim> kla_equation_claims() { return {states(), effective_writes(), triangular(), outputs(), state()}; }

}  // namespace deltaproof::claims
