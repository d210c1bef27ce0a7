#include "properties/claims/kla_chunk.hpp"

#include "properties/claims/exact_elimination.hpp"

namespace deltaproof::claims {
namespace {

Rational cumulated(const RationalVector& decay, std::size_t count) {
  Rational product = 1;
  for (std::size_t r = 0; r < count; ++r) product *= decay[r];
  return product;
}

std::optional<Rational> quotient(const Rational& top, const Rational& bottom) {
  if (bottom == 0) return std::nullopt;
  return top / bottom;
}

/// A, lower triangular; none where an entry divides by zero.
std::optional<RationalMatrix> ratios(const Chunk& chunk, const Form& form) {
  RationalMatrix a(chunk.tokens(), chunk.tokens());
  for (std::size_t i = 0; i < chunk.tokens(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const std::optional<Rational> ratio = form.ratio(chunk.decay, i, j);
      if (!ratio) return std::nullopt;
      a(i, j) = *ratio;
    }
  }
  return a;
}

/// A o X Y^T, without its diagonal or with it.
RationalMatrix masked(const RationalMatrix& a, const RationalMatrix& x, const RationalMatrix& y, bool diagonal) {
  RationalMatrix product = x * y.transposed();
  for (std::size_t i = 0; i < product.rows(); ++i) {
    for (std::size_t j = 0; j < product.columns(); ++j) product(i, j) *= i == j && !diagonal ? Rational(0) : a(i, j);
  }
  return product;
}

/// Row i times gamma_i.
RationalMatrix decayed(RationalMatrix rows, const RationalVector& decay) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) rows(i, j) *= cumulated(decay, i + 1);
  }
  return rows;
}

RationalMatrix diagonal(const RationalVector& values) {
  RationalMatrix result(values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result(i, i) = values[i];
  return result;
}

}  // namespace

RationalVector row(const RationalMatrix& a, std::size_t i) {
  RationalVector result(a.columns());
  for (std::size_t j = 0; j < a.columns(); ++j) result[j] = a(i, j);
  return result;
}

Recurred recur(const Chunk& chunk) {
  Recurred run;
  run.u = RationalMatrix(chunk.tokens(), chunk.values.columns());
  run.o = run.u;
  RationalMatrix state = chunk.before;
  for (std::size_t i = 0; i < chunk.tokens(); ++i) {
    state = chunk.decay[i] * state;
    const RationalVector k = row(chunk.keys, i);
    RationalVector u = row(chunk.values, i) - transposed_times(state, k);
    for (Rational& each : u) each *= chunk.beta[i];
    state = state + outer(k, u);
    const RationalVector o = transposed_times(state, row(chunk.queries, i));
    for (std::size_t j = 0; j < u.size(); ++j) run.u(i, j) = u[j], run.o(i, j) = o[j];
    run.states.push_back(state);
  }
  return run;
}

std::optional<Rational> quotient_ratio(const RationalVector& decay, std::size_t i, std::size_t j) {
  return quotient(cumulated(decay, i + 1), cumulated(decay, j + 1));
}

std::optional<Rational> quotient_before(const RationalVector& decay, std::size_t i, std::size_t j) {
  return quotient(cumulated(decay, i + 1), cumulated(decay, j));
}

std::optional<Rational> product_ratio(const RationalVector& decay, std::size_t i, std::size_t j) {
  Rational product = 1;
  for (std::size_t r = j + 1; r <= i; ++r) product *= decay[r];
  return product;
}

std::optional<Parallel> in_parallel_form(const Chunk& chunk, const Form& form) {
  const std::optional<RationalMatrix> a = ratios(chunk, form);
  if (!a) return std::nullopt;
  const std::size_t c = chunk.tokens();
  const RationalMatrix b = diagonal(chunk.beta), readout = chunk.keys * chunk.before;
  Parallel result;
  result.system = RationalMatrix::identity(c) + b * masked(*a, chunk.keys, chunk.keys, form.diagonal_in_system);
  const std::optional<RationalMatrix> u =
      solve(result.system, b * (chunk.values - (form.decayed_readout ? decayed(readout, chunk.decay) : readout)));
  if (!u) return std::nullopt;
  result.u = *u;
  result.o = decayed(chunk.queries * chunk.before, chunk.decay) +
             masked(*a, chunk.queries, chunk.keys, form.diagonal_in_read) * *u;
  const RationalVector last = form.weights ? row(*a, c - 1) : RationalVector(c, 1);
  result.after = cumulated(chunk.decay, c) * chunk.before + chunk.keys.transposed() * (diagonal(last) * *u);
  return result;
}

std::vector<Named> inputs_of(const Chunk& chunk, bool queries) {
  std::vector<Named> inputs{{"alpha", text(chunk.decay)},
                            {"beta", text(chunk.beta)},
                            {"S_0", text(chunk.before)},
                            {"K", text(chunk.keys)},
                            {"V", text(chunk.values)}};
  if (queries) inputs.push_back({"Q", text(chunk.queries)});
  return inputs;
}

}  // namespace deltaproof::claims
