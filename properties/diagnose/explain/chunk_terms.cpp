#include "properties/diagnose/explain/chunk_terms.hpp"

#include <algorithm>

#include "reference/rules/steps.hpp"

namespace deltaproof {
namespace {

double alpha_of(const Steps<double>& s, Index t, Index i) {
  if (s.decay == Decay::none) return 1;
  return s.alpha[static_cast<std::size_t>(s.decay == Decay::per_channel ? t * s.K + i : t)];
}

RowVector row_of(const std::vector<double>& values, Index t, Index width) {
  return Eigen::Map<const RowVector>(values.data() + t * width, width);
}

void decay(const Steps<double>& s, Index t, Matrix& S) {
  for (Index i = 0; s.decay != Decay::none && i < s.K; ++i) S.row(i) *= alpha_of(s, t, i);
}

void add_decays(const Steps<double>& s, Index first, ChunkTerms& terms) {
  const Index C = terms.tokens();
  RowVector product = RowVector::Ones(s.K);
  for (Index t = 0; t < C; ++t) {
    for (Index i = 0; i < s.K; ++i) terms.alpha(t, i) = alpha_of(s, first + t, i);
    product = product.cwiseProduct(terms.alpha.row(t));
    terms.gamma.row(t) = product;
  }
  product.setOnes();
  for (Index t = C; t-- > 0;) {
    terms.to_end.row(t) = product;
    product = product.cwiseProduct(terms.alpha.row(t));
  }
}

// One token: S is the state before it, and then the one after it.
void step(const Steps<double>& s, Index t, Matrix& S, ChunkTerms* terms, Index row) {
  const RowVector q = s.scale * row_of(s.q, t, s.K), k = row_of(s.k, t, s.K), v = row_of(s.v, t, s.V);
  const double b = s.b[static_cast<std::size_t>(t)];
  decay(s, t, S);
  const RowVector removed = s.residual ? RowVector(b * (k * S)) : RowVector(RowVector::Zero(s.V));
  const RowVector u = b * v - removed;
  if (terms != nullptr) {
    terms->q.row(row) = q;
    terms->k.row(row) = k;
    terms->removed.row(row) = removed;
    terms->given.row(row) = b * v;
    terms->u.row(row) = u;
    terms->decayed.row(row) = q * S;
    terms->scores(row) = q.dot(k);
    terms->removes(row) = s.residual ? b : 0;
  }
  S += k.transpose() * u;
  if (terms != nullptr) terms->o.row(row) = q * S;
}

}  // namespace

Matrix ChunkTerms::reads_of_writes() const {
  const Index C = tokens();
  Matrix P = Matrix::Zero(C, C);
  for (Index j = 0; j < C; ++j) {
    RowVector key = k.row(j);
    P(j, j) = q.row(j).dot(key);
    for (Index t = j + 1; t < C; ++t) {
      key = key.cwiseProduct(alpha.row(t));
      P(t, j) = q.row(t).dot(key);
    }
  }
  return P;
}

ChunkTerms chunk_terms(const HeadInputs& head, const Unit& unit, const Matrix& before_unit, std::int64_t token) {
  const Index size = head.options.chunk_size, chunk = token / size * size;
  const Index begin = std::max<Index>(chunk, unit.begin);
  const Index C = std::min<Index>(chunk + size, unit.begin + unit.length) - begin;
  const Steps<double> s = make_steps<double>(head.slice(unit.begin, begin + C - unit.begin, before_unit));
  Matrix S = before_unit;
  for (Index t = 0; t < begin - unit.begin; ++t) step(s, t, S, nullptr, 0);
  ChunkTerms terms;
  terms.begin = begin;
  terms.before = S;
  terms.q = terms.k = terms.alpha = terms.gamma = terms.to_end = Matrix::Zero(C, s.K);
  terms.u = terms.removed = terms.given = terms.decayed = terms.o = terms.from_before = Matrix::Zero(C, s.V);
  terms.scores = terms.removes = RowVector::Zero(C);
  add_decays(s, begin - unit.begin, terms);
  for (Index t = 0; t < C; ++t) {
    step(s, begin - unit.begin + t, S, &terms, t);
    terms.from_before.row(t) = terms.q.row(t).cwiseProduct(terms.gamma.row(t)) * terms.before;
  }
  terms.after = S;
  terms.carried = terms.gamma.row(C - 1).transpose().asDiagonal() * terms.before;
  return terms;
}

}  // namespace deltaproof
