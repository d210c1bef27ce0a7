#include "properties/claims/exact_elimination.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

namespace deltaproof::claims {
namespace {

using Length = std::function<Rational(const Rational& energy)>;  ///< of the step, from |k|^2
using Base = std::function<RationalMatrix(const Step&)>;

Rational inverse(const Rational& energy) { return 1 / energy; }

/// A direction with something everywhere.
RationalMatrix ramp(std::size_t rows, std::size_t columns) {
  RationalMatrix result(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) result(i, j) = Rational(static_cast<std::int64_t>(1 + i * columns + j));
  }
  return result;
}

/// `h` without what it changes in the readout of k: H^T k = 0 for a k other than 0.
RationalMatrix tangent(const RationalMatrix& h, const RationalVector& k) {
  return h - (1 / squared_norm(k)) * outer(k, transposed_times(h, k));
}

Rational product(const RationalMatrix& a, const RationalMatrix& b) {
  Rational sum = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) sum += a(i, j) * b(i, j);
  }
  return sum;
}

/// S+ = S~ + length k e^T meets S^T k = v, and any other state S+ + H that meets it (H^T k = 0) is
/// further from S~, by |H|^2 exactly.
Result projection(const Effort& effort, const Length& length, const Base& from) {
  return search(
      steps(effort, {.decay = {1, Rational(1, 2)}}),
      [&](const Step& step) -> Fault {
        const RationalMatrix start = from(step);
        const RationalMatrix end = written(start, step, length(squared_norm(step.k)));
        const RationalVector left = residual(end, step);
        if (squared_norm(left) != 0) return fmt::format("S+^T k should be v, but v - S+^T k is {}", text(left));
        const RationalMatrix other = tangent(ramp(end.rows(), end.columns()), step.k);
        const Rational more = squared_norm(end + other - start) - squared_norm(end - start);
        if (more == squared_norm(other)) return std::nullopt;
        return fmt::format("another state that meets the constraint changes by {} more, not |H|^2 = {}", text(more),
                           text(squared_norm(other)));
      },
      [](const Step& step) { return inputs_of(step, "aSkv"); });
}

Claim minimal_change() {
  return {"kla.projection",
          {"kla", "Section 3.1, Eqs (1)-(2); Appendix A.1", "3, 13"},
          "S~ + k e^T / |k|^2 meets S^T k = v and is the one state meeting it that is nearest to S~",
          "k is not 0",
          "exact rational arithmetic on a grid of small steps, entries from 1e-30 to 1e30 and random "
          "steps; that a state "
          "S+ + H of the constraint is further away by |H|^2 exactly proves, for the instance, that S+ "
          "is nearest "
          "and alone",
          bound(projection, Length(inverse), Base(base)),
          {{"S~ + k e^T (no division) meets the constraint", Outcome::refuted,
            bound(projection, Length([](const Rational&) -> Rational { return 1; }), Base(base))},
           {"S~ + k e^T / (|k|^2 + 10^-6) meets the constraint", Outcome::refuted,
            bound(projection, Length([](const Rational& n) -> Rational { return 1 / (n + Rational(1, 1000000)); }),
                  Base(base))}}};
}

RationalMatrix decayed_by_channel(const Step& step) {
  RationalMatrix result = step.before;
  for (std::size_t i = 0; i < result.rows(); ++i) {
    for (std::size_t j = 0; j < result.columns(); ++j) result(i, j) /= Rational(static_cast<std::int64_t>(i + 1));
  }
  return result;
}

Claim any_base() {
  return {"kla.projection-after-channel-decay",
          {"kla", "Sections 6-7", "9-10", Voice::derived},
          "the local projection stays one when each key channel has a decay of its own (S~ = "
          "Diag(a) S)",
          "k is not 0",
          "as kla.projection, with decays 1, 1/2, 1/3, .. of the channels",
          bound(projection, Length(inverse), Base(decayed_by_channel)),
          {{"with channel decays the step 1/(2 |k|^2) projects", Outcome::refuted,
            bound(projection, Length([](const Rational& n) -> Rational { return 1 / (2 * n); }),
                  Base(decayed_by_channel))}}};
}

using Solvable = std::function<bool(const Step&)>;
bool has_values(const RationalVector& x) { return squared_norm(x) != 0; }

/// Whether some state meets S^T k = v: k^T S = v^T has a solution if v^T adds nothing to the rank
/// of k^T, column by column.
Result solvable(const Effort& effort, const Solvable& says) {
  return search(
      steps(effort, {.zero_keys = true}),
      [&](const Step& step) -> Fault {
        const RationalMatrix key = outer({1}, step.k);
        const bool meets = rank(beside(key, outer({1}, step.v))) == rank(key);
        if (meets == says(step)) return std::nullopt;
        return std::string(meets ? "some state meets S^T k = v" : "no state meets S^T k = v, and 1/|k|^2 divides by 0");
      },
      [](const Step& step) { return inputs_of(step, "kv"); });
}

Claim zero_key() {
  return {"kla.projection-zero-key",
          {"kla", "Section 3.1, Eq. (2)", "3", Voice::derived},
          "S^T k = v can be met exactly if k is not 0 or v is 0: for k = 0 the projection is undefined",
          "",
          "ranks in exact rational arithmetic, on a grid of small keys and values (0 among them) and "
          "random ones",
          bound(solvable, Solvable([](const Step& step) { return has_values(step.k) || !has_values(step.v); })),
          {{"every key and value has a state that meets the constraint", Outcome::refuted,
            bound(solvable, Solvable([](const Step&) { return true; }))},
           {"a zero key never has a state that meets the constraint", Outcome::refuted,
            bound(solvable, Solvable([](const Step& step) { return has_values(step.k); }))}}};
}

using Direction = std::function<RationalMatrix(const Step&)>;

Result orthogonal(const Effort& effort, const Direction& direction) {
  return search(
      steps(effort, {}),
      [&](const Step& step) -> Fault {
        const Rational value = product(outer(step.k, residual(step.before, step)), direction(step));
        if (value == 0) return std::nullopt;
        return fmt::format("<k e^T, H> should be 0 and is {} for H = {}", text(value), text(direction(step)));
      },
      [](const Step& step) { return inputs_of(step, "Skv"); });
}

Claim orthogonality() {
  return {"kla.tangent-orthogonal",
          {"kla", "Section 3.1; Appendix A.1", "3, 13-14"},
          "the write k e^T is orthogonal to every direction H that leaves the readout of k alone "
          "(H^T k = 0)",
          "",
          "exact rational arithmetic, grid, edges and random; in general <k e^T, H> = (H^T k) . e",
          bound(orthogonal,
                Direction([](const Step& step) { return tangent(ramp(step.k.size(), step.v.size()), step.k); })),
          {{"k e^T is orthogonal to every direction", Outcome::refuted,
            bound(orthogonal, Direction([](const Step& step) { return ramp(step.k.size(), step.v.size()); }))}}};
}

/// The least change of each column of S, from the equations of its Lagrangian, is that of the
/// whole.
Result by_columns(const Effort& effort, const Length& length) {
  return search(
      steps(effort, {}),
      [&](const Step& step) -> Fault {
        const std::size_t dk = step.k.size();
        RationalMatrix system(dk + 1, dk + 1), right(dk + 1, step.v.size());
        for (std::size_t i = 0; i < dk; ++i) {
          system(i, i) = 1;
          system(i, dk) = system(dk, i) = step.k[i];
          for (std::size_t j = 0; j < step.v.size(); ++j) right(i, j) = step.before(i, j);
        }
        for (std::size_t j = 0; j < step.v.size(); ++j) right(dk, j) = step.v[j];
        const std::optional<RationalMatrix> least = solve(system, right);
        const RationalMatrix whole = written(step.before, step, length(squared_norm(step.k)));
        for (std::size_t i = 0; i < dk; ++i) {
          for (std::size_t j = 0; j < step.v.size(); ++j) {
            if ((*least)(i, j) == whole(i, j)) continue;
            return fmt::format("column {} has {} in row {} by its own constraint and {} by the step", j,
                               text((*least)(i, j)), i, text(whole(i, j)));
          }
        }
        return std::nullopt;
      },
      [](const Step& step) { return inputs_of(step, "Skv"); });
}

Claim columns() {
  return {"kla.projection-by-columns",
          {"kla", "Section 3.1; Appendix A.2", "3, 13-14"},
          "each value channel is a linear constraint of its own; the Frobenius projection is the "
          "least change of every "
          "column, with multiplier -e/|k|^2 by its Lagrangian",
          "k is not 0",
          "the Lagrangian's linear system of every column is solved exactly and held against S~ + "
          "k e^T / |k|^2",
          bound(by_columns, Length(inverse)),
          {{"the least change of every column is S~ + k e^T / (1 + |k|^2)", Outcome::refuted,
            bound(by_columns, Length([](const Rational& n) -> Rational { return 1 / (1 + n); }))}}};
}

}  // namespace

std::vector<Claim> kla_projection_claims() {
  return {minimal_change(), any_base(), columns(), orthogonality(), zero_key()};
}

}  // namespace deltaproof::claims
