#include "tests/reference/arithmetic/plain_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "reference/approximations.hpp"

namespace deltaproof::arithmetic_tests {
namespace {

using Row = std::vector<float>;
using Rows = std::vector<Row>;

constexpr float log2e = 1.4426950408889634f;

Rows rows_of(const Matrix& m) {
  Rows rows(static_cast<std::size_t>(m.rows()));
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) rows[static_cast<std::size_t>(i)].push_back(static_cast<float>(m(i, j)));
  }
  return rows;
}

Rows filled(std::size_t n, std::size_t m, float value) { return Rows(n, Row(m, value)); }

// Lanes exchange by xor of d, d falling; every lane ends with the sum.
float halves(Row lanes) {
  for (std::size_t d = lanes.size() / 2; d >= 1; d /= 2) {
    const Row before = lanes;
    for (std::size_t l = 0; l < lanes.size(); ++l) lanes[l] = before[l] + before[l ^ d];
  }
  return lanes[0];
}

float square_sum(const Row& x) {
  Row lanes(32, 0.0f);
  for (std::size_t l = 0; l < 32; ++l) {
    for (std::size_t i = l; i < x.size(); i += 32) lanes[l] = std::fma(x[i], x[i], lanes[l]);
  }
  return halves(lanes);
}

// One head as the kernels have it.
struct Inputs {
  Rows q, k, v, g;
  Row b;
  bool decays = false, per_channel = false, residual = false;
  float scale = 0;
};

void normalise(Rows& rows, double eps) {
  for (Row& row : rows) {
    const float y = 1.0f / std::sqrt(square_sum(row) + static_cast<float>(eps));
    for (float& x : row) x *= y;
  }
}

float coefficient(const Options& options, float w, const Row& key) {
  const float n = square_sum(key), eps = static_cast<float>(options.eps);
  if (options.rule == Rule::longhorn_exact) return w / std::fma(w, n, 1.0f);
  if (options.rule != Rule::kla || options.variant == KlaVariant::no_norm) return w;
  if (options.variant == KlaVariant::key_norm_only) return 1.0f / (n + eps);
  if (options.variant == KlaVariant::learned_scalar) return w / std::fma(static_cast<float>(options.c), n, eps);
  return w / (n + eps);
}

Inputs inputs_of(const HeadInputs& head) {
  Inputs in{rows_of(head.q), rows_of(head.k), rows_of(head.v), rows_of(head.g), {}};
  const Options& options = head.options;
  if (options.qk_l2norm == L2Norm::q || options.qk_l2norm == L2Norm::both) normalise(in.q, options.qk_l2norm_eps);
  if (options.qk_l2norm == L2Norm::k || options.qk_l2norm == L2Norm::both) normalise(in.k, options.qk_l2norm_eps);
  for (std::size_t t = 0; t < in.k.size(); ++t) {
    const float w = head.write.size() == 0 ? 1.0f : static_cast<float>(head.write(static_cast<Index>(t), 0));
    in.b.push_back(coefficient(options, w, in.k[t]));
  }
  in.decays = head.g.size() > 0;
  in.per_channel = head.g.cols() > 1;
  in.residual = rule_info(options.rule).residual;
  in.scale = static_cast<float>(options.scale);
  return in;
}

// Column j of S against x, eight lanes.
float column_dot(const Rows& S, const Row& x, std::size_t j) {
  Row lanes(8, 0.0f);
  for (std::size_t l = 0; l < 8; ++l) {
    for (std::size_t r = l; r < x.size(); r += 8) lanes[l] = std::fma(S[r][j], x[r], lanes[l]);
  }
  return halves(lanes);
}

void one_token(const Inputs& in, std::size_t t, Rows& S, Row& o) {
  for (std::size_t r = 0; r < S.size(); ++r) {
    if (!in.decays) break;
    const float a = ex2_approx(in.g[t][in.per_channel ? r : 0] * log2e);
    for (float& s : S[r]) s *= a;
  }
  Row scaled = in.q[t];
  for (float& x : scaled) x *= in.scale;
  for (std::size_t j = 0; j < o.size(); ++j) {
    const float e = in.residual ? in.v[t][j] - column_dot(S, in.k[t], j) : in.v[t][j];
    const float d = e * in.b[t];
    for (std::size_t r = 0; r < S.size(); ++r) S[r][j] = std::fma(in.k[t][r], d, S[r][j]);
    o[j] = column_dot(S, scaled, j);
  }
}

// C + A B, ascending.
Rows product(Rows c, const Rows& a, const Rows& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < c[i].size(); ++j) {
      for (std::size_t k = 0; k < b.size(); ++k) c[i][j] = std::fma(a[i][k], b[k][j], c[i][j]);
    }
  }
  return c;
}

Rows product(const Rows& a, const Rows& b) { return product(filled(a.size(), b[0].size(), 0.0f), a, b); }

Rows transposed(const Rows& a) {
  Rows t = filled(a[0].size(), a.size(), 0.0f);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a[i].size(); ++j) t[j][i] = a[i][j];
  }
  return t;
}

Rows block(const Rows& a, std::size_t i, std::size_t j) {
  Rows part;
  for (std::size_t r = i; r < std::min(i + 16, a.size()); ++r) {
    const auto row = a[r].begin() + static_cast<std::ptrdiff_t>(j);
    part.emplace_back(row, row + static_cast<std::ptrdiff_t>(std::min<std::size_t>(16, a[r].size() - j)));
  }
  return part;
}

void place(Rows& a, std::size_t i, std::size_t j, const Rows& part, float sign) {
  for (std::size_t r = 0; r < part.size(); ++r) {
    for (std::size_t c = 0; c < part[r].size(); ++c) a[i + r][j + c] = sign * part[r][c];
  }
}

// (I + L)^{-1} of a block of at most 16: every row of a column's own thread.
Rows substituted(const Rows& L) {
  const std::size_t n = L.size();
  Rows X = filled(16, 16, -0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) X[i][j] = -L[i][j];
  }
  for (std::size_t i = 2; i < n; ++i) {
    const Row before = X[i];
    for (std::size_t j = 0; j < i; ++j) {
      float t = 0;
      for (std::size_t r = 0; r < 16; ++r) t = std::fma(before[r], X[r][j], t);
      X[i][j] += t;
    }
  }
  for (std::size_t i = 0; i < n; ++i) X[i][i] = 1;
  Rows result(X.begin(), X.begin() + static_cast<std::ptrdiff_t>(n));
  for (Row& row : result) row.resize(n);
  return result;
}

Rows inverse(const Rows& L) {
  const std::size_t n = L.size();
  Rows X = filled(n, n, 0.0f);
  for (std::size_t i = 0; i < n; i += 16) place(X, i, i, substituted(block(L, i, i)), 1);
  for (std::size_t distance = 16; distance < n; distance += 16) {
    for (std::size_t j = 0; j + distance < n; j += 16) {
      const std::size_t i = j + distance;
      if (distance == 16) {
        place(X, i, j, product(product(block(X, i, i), block(L, i, j)), block(X, j, j)), -1);
        continue;
      }
      Rows Y = filled(std::min<std::size_t>(16, n - i), 16, 0.0f);
      for (std::size_t k = j; k < i; k += 16) Y = product(Y, block(L, i, k), block(X, k, j));
      place(X, i, j, product(block(X, i, i), Y), -1);
    }
  }
  return X;
}

// G: prefix sums times log2 e, one column or K; Kogge-Stone by 32, or one after the other.
Rows prefix_sums(const Inputs& in, std::size_t begin, std::size_t n) {
  Rows s(n, Row(1, 0.0f));
  for (std::size_t i = 0; i < n && in.decays; ++i) s[i] = in.g[begin + i];
  for (std::size_t c = 0; c < s[0].size(); ++c) {
    if (in.per_channel) {
      for (std::size_t i = 1; i < n; ++i) s[i][c] = s[i - 1][c] + s[i][c];
      continue;
    }
    for (std::size_t d = 1; d < 32; d *= 2) {
      const Rows before = s;
      for (std::size_t i = d; i < n; ++i) {
        if (i % 32 >= d) s[i][c] = before[i][c] + before[i - d][c];
      }
    }
    for (std::size_t i = 32; i < n; ++i) s[i][c] += s[31][c];
  }
  for (Row& row : s) {
    for (float& x : row) x *= log2e;
  }
  return s;
}

// One chunk; letters as on the page.
struct Chunk {
  const Inputs& in;
  std::size_t begin, n;
  Rows G;
  Rows q, k, v;

  float e(std::size_t i, std::size_t c) const { return ex2_approx(G[i][c]); }
  float between(std::size_t i, std::size_t j, std::size_t c) const { return ex2_approx(G[i][c] - G[j][c]); }
  float b(std::size_t i) const { return in.b[begin + i]; }
  std::size_t K() const { return k[0].size(); }

  // Rows times a factor of the token, or of the token and channel.
  template <class F>
  static Rows scaled(Rows x, F factor) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t c = 0; c < x[i].size(); ++c) x[i][c] *= factor(i, c);
    }
    return x;
  }

  void scalar_grams(Rows& L, Rows& P) const {
    const Rows kk = product(k, transposed(k)), qk = product(q, transposed(k));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        P[i][j] = qk[i][j] * between(i, j, 0);
        if (j < i) L[i][j] = (kk[i][j] * between(i, j, 0)) * b(i);
      }
    }
  }

  // Between blocks of 16: the first token m of i's block is the anchor; inside, i and j themselves.
  void channel_grams(Rows& L, Rows& P) const {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t m = i / 16 * 16;
      for (std::size_t j = 0; j <= i; ++j) {
        float of_q = 0, of_k = 0;
        for (std::size_t c = 0; c < K(); ++c) {
          if (j < m) {
            const float right = k[j][c] * between(m, j, c), later = between(i, m, c);
            of_q = std::fma(in.residual ? q[i][c] * later : (q[i][c] * later) * in.scale, right, of_q);
            of_k = std::fma(k[i][c] * later, right, of_k);
          } else if (in.residual) {
            const float z = k[j][c] * between(i, j, c);
            of_q = std::fma(q[i][c], z, of_q);
            of_k = std::fma(k[i][c] * b(i), z, of_k);
          } else {
            of_q = std::fma(q[i][c] * k[j][c], between(i, j, c), of_q);
          }
        }
        P[i][j] = !in.residual && j < m ? of_q : of_q * in.scale;
        if (j < i) L[i][j] = j < m ? of_k * b(i) : of_k;
      }
    }
  }

  // v_new, from the state before.
  Rows values(const Rows& L, const Rows& S) const {
    if (!in.residual) return v;
    const Rows T = inverse(L);
    const auto beta = [&](std::size_t i, std::size_t) { return b(i); };
    const auto decay = [&](std::size_t i, std::size_t c) { return e(i, in.per_channel ? c : 0); };
    const Rows u = product(T, scaled(v, beta)), w = product(T, scaled(scaled(k, beta), decay)), wS = product(w, S);
    Rows x = u;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < x[i].size(); ++j) x[i][j] = u[i][j] - wS[i][j];
    }
    return x;
  }

  Rows outputs(const Rows& P, const Rows& x, const Rows& S) const {
    if (in.per_channel) {
      const Rows decayed = scaled(q, [&](std::size_t i, std::size_t c) { return e(i, c); });
      return product(scaled(product(decayed, S), [&](std::size_t, std::size_t) { return in.scale; }), P, x);
    }
    const Rows a = scaled(product(q, S), [&](std::size_t i, std::size_t) { return e(i, 0); }), p = product(P, x);
    Rows o = a;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < o[i].size(); ++j) o[i][j] = std::fma(a[i][j], in.scale, p[i][j] * in.scale);
    }
    return o;
  }

  void update(const Rows& x, Rows& S) const {
    const std::size_t last = n - 1;
    const bool channels = in.per_channel;
    S = scaled(S, [&](std::size_t c, std::size_t) { return e(last, channels ? c : 0); });
    const auto to_end = [&](std::size_t i, std::size_t c) { return between(last, i, channels ? c : 0); };
    S = channels ? product(S, transposed(scaled(k, to_end)), x) : product(S, transposed(k), scaled(x, to_end));
  }
};

Rows slice(const Rows& rows, std::size_t begin, std::size_t n) {
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

PlainRun plain_recurrent(const HeadInputs& head, Index chunk) {
  const Inputs in = inputs_of(head);
  PlainRun run;
  Rows S = rows_of(head.initial_state);
  for (std::size_t t = 0; t < in.v.size(); ++t) {
    run.o.emplace_back(in.v[t].size());
    one_token(in, t, S, run.o.back());
    if ((t + 1) % static_cast<std::size_t>(chunk) == 0 || t + 1 == in.v.size()) run.states.push_back(S);
  }
  return run;
}

PlainRun plain_chunk(const HeadInputs& head, Index chunk) {
  const Inputs in = inputs_of(head);
  const auto size = static_cast<std::size_t>(chunk);
  PlainRun run;
  Rows S = rows_of(head.initial_state);
  for (std::size_t begin = 0; begin < in.v.size(); begin += size) {
    const std::size_t n = std::min(size, in.v.size() - begin);
    const Chunk c{in, begin, n, prefix_sums(in, begin, n), slice(in.q, begin, n), slice(in.k, begin, n),
                  slice(in.v, begin, n)};
    Rows L = filled(n, n, 0.0f), P = filled(n, n, 0.0f);
    if (in.per_channel) c.channel_grams(L, P); else c.scalar_grams(L, P);
    const Rows x = c.values(L, S), o = c.outputs(P, x, S);
    run.o.insert(run.o.end(), o.begin(), o.end());
    c.update(x, S);
    run.states.push_back(S);
  }
  return run;
}

}  // namespace deltaproof::arithmetic_tests
