#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "properties/claims/claim.hpp"
#include "properties/claims/exact.hpp"

/// A chunk of C tokens of one head, exactly: by its recurrence and by Eqs (7)-(9).
namespace deltaproof::claims {

struct Chunk {
  RationalMatrix before;         ///< S_0, dk x dv
  RationalVector decay, beta;    ///< of the tokens
  RationalMatrix keys, queries;  ///< C x dk
  RationalMatrix values;         ///< C x dv
  std::size_t tokens() const { return decay.size(); }
};

RationalVector row(const RationalMatrix& a, std::size_t i);

/// Token by token.
struct Recurred {
  std::vector<RationalMatrix> states;  ///< S_1, .., S_C
  RationalMatrix u, o;                 ///< rows beta_i e_i and S_i^T q_i
};
Recurred recur(const Chunk& chunk);

/// A_ij for j <= i (from 0); none where it divides by zero.
using Ratio = std::function<std::optional<Rational>(const RationalVector& decay, std::size_t i, std::size_t j)>;
/// gamma_i / gamma_j, gamma_i the product of the decays up to i.
std::optional<Rational> quotient_ratio(const RationalVector& decay, std::size_t i, std::size_t j);
/// gamma_i / gamma_(j-1).
std::optional<Rational> quotient_before(const RationalVector& decay, std::size_t i, std::size_t j);
/// The product of the decays after j up to i: no division.
std::optional<Rational> product_ratio(const RationalVector& decay, std::size_t i, std::size_t j);

/// How the equations are read.
struct Form {
  Ratio ratio = quotient_ratio;
  bool diagonal_in_system = false;  ///< Eq (7) with A in place of its strictly lower part
  bool diagonal_in_read = true;     ///< Eq (8): a token reads its own write
  bool decayed_readout = true;      ///< Eq (7): D_gamma K S_0, not K S_0
  bool weights = true;              ///< Eq (9): Diag(gamma_C/gamma_j)
};

struct Parallel {
  RationalMatrix system, u, o, after;
};
/// None where something divides by zero or the system is singular.
std::optional<Parallel> in_parallel_form(const Chunk& chunk, const Form& form);

struct ChunkRanges {
  bool zero_decays = false;
  bool rational_query_norms = false;  ///< rows (3 c, 4 c, 0, ..) or (c)
};

/// In the order of size: C = 1 over a grid, C = 2 with small entries, random ones to C = 6, dk = 4,
/// dv = 3, with decays and coefficients from 1e-30.
std::vector<Chunk> chunks(const Effort& effort, const ChunkRanges& ranges);

/// alpha, beta, S_0, K, V and, with `queries`, Q.
std::vector<Named> inputs_of(const Chunk& chunk, bool queries);

}  // namespace deltaproof::claims
