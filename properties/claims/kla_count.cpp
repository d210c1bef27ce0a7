#include "properties/claims/kla_count.hpp"

#include <vector>

namespace deltaproof::claims {
namespace {

/// Stands for a number: only how often it is multiplied and divided counts.
struct Counted {
  Work* work = nullptr;
};

Counted operator*(const Counted& a, const Counted&) {
  ++a.work->products;
  return a;
}
Counted operator/(const Counted& a, const Counted&) {
  ++a.work->quotients;
  return a;
}
Counted operator+(const Counted& a, const Counted&) { return a; }
Counted operator-(const Counted& a, const Counted&) { return a; }

using Row = std::vector<Counted>;
using Rows = std::vector<Row>;

Rows rows(Work& work, std::int64_t count, std::int64_t length) {
  return Rows(static_cast<std::size_t>(count), Row(static_cast<std::size_t>(length), Counted{&work}));
}

Counted product(const Row& x, const Row& y) {
  Counted sum = x[0] * y[0];
  for (std::size_t i = 1; i < x.size(); ++i) sum = sum + x[i] * y[i];
  return sum;
}

Counted coefficient(Rule rule, const Row& k, const Counted& eta, const Counted& eps) {
  return rule == Rule::kaczmarz ? eta / (product(k, k) + eps) : eta;
}

/// x^T A for A by rows.
Row through(const Row& x, const Rows& a) {
  Row result(a[0].size(), x[0]);
  for (std::size_t j = 0; j < result.size(); ++j) {
    Counted sum = x[0] * a[0][j];
    for (std::size_t i = 1; i < x.size(); ++i) sum = sum + x[i] * a[i][j];
    result[j] = sum;
  }
  return result;
}

void step(Rule rule, Rows& state, const Row& k, const Row& q, Row v, const Counted& gate) {
  for (Row& each : state) {
    for (Counted& entry : each) entry = gate * entry;
  }
  const Row read = through(k, state);
  const Counted beta = coefficient(rule, k, gate, gate);
  for (std::size_t j = 0; j < v.size(); ++j) v[j] = beta * (v[j] - read[j]);
  for (std::size_t i = 0; i < k.size(); ++i) {
    for (std::size_t j = 0; j < v.size(); ++j) state[i][j] = state[i][j] + k[i] * v[j];
  }
  through(q, state);
}

void chunk(Rule rule, Rows& state, const Rows& k, const Rows& q, Rows v, const Counted& gate) {
  const std::size_t c = k.size();
  Row gamma(c, gate), beta(c, gate);
  for (std::size_t i = 1; i < c; ++i) gamma[i] = gamma[i - 1] * gate;
  for (std::size_t i = 0; i < c; ++i) {
    beta[i] = coefficient(rule, k[i], gate, gate);
    const Row old = through(k[i], state);
    for (std::size_t j = 0; j < old.size(); ++j) v[i][j] = v[i][j] - gamma[i] * old[j];
    for (std::size_t p = 0; p < i; ++p) {  // row i of the system, and its substitution
      const Counted entry = gamma[i] / gamma[p] * product(k[p], k[i]);
      for (std::size_t j = 0; j < old.size(); ++j) v[i][j] = v[i][j] - entry * v[p][j];
    }
    for (Counted& each : v[i]) each = beta[i] * each;
  }
  for (std::size_t i = 0; i < c; ++i) {
    Row o = through(q[i], state);
    for (Counted& each : o) each = gamma[i] * each;
    for (std::size_t p = 0; p <= i; ++p) {
      const Counted weight = gamma[i] / gamma[p] * product(k[p], q[i]);
      for (std::size_t j = 0; j < o.size(); ++j) o[j] = o[j] + weight * v[p][j];
    }
  }
  for (Row& each : state) {
    for (Counted& entry : each) entry = gamma[c - 1] * entry;
  }
  for (std::size_t p = 0; p < c; ++p) {
    const Counted last = gamma[c - 1] / gamma[p];
    for (std::size_t i = 0; i < k[p].size(); ++i) {
      const Counted weighted = last * k[p][i];
      for (std::size_t j = 0; j < v[p].size(); ++j) state[i][j] = state[i][j] + weighted * v[p][j];
    }
  }
}

}  // namespace

Work recurrence_work(Rule rule, std::int64_t dk, std::int64_t dv, std::int64_t tokens) {
  Work work;
  Rows state = rows(work, dk, dv);
  const Row k = rows(work, 1, dk)[0], v = rows(work, 1, dv)[0];
  for (std::int64_t t = 0; t < tokens; ++t) step(rule, state, k, k, v, Counted{&work});
  return work;
}

Work chunk_work(Rule rule, std::int64_t dk, std::int64_t dv, std::int64_t c, std::int64_t chunks) {
  Work work;
  Rows state = rows(work, dk, dv);
  const Rows k = rows(work, c, dk), v = rows(work, c, dv);
  for (std::int64_t i = 0; i < chunks; ++i) chunk(rule, state, k, k, v, Counted{&work});
  return work;
}

}  // namespace deltaproof::claims
