#include "float_kernels.hpp"

#include <cmath>

namespace deltaproof::testing {
namespace {

template <class F>
F multiply_add(F x, F y, F z, bool fused) {
  return fused ? std::fma(x, y, z) : x * y + z;
}

template <class F>
F pairwise(const std::vector<F>& x, const std::vector<F>& y, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return x[begin] * y[begin];
  const std::size_t middle = (begin + end) / 2;
  return pairwise(x, y, begin, middle) + pairwise(x, y, middle, end);
}

template <class F>
F dot(const std::vector<F>& x, const std::vector<F>& y, const Kernel& kernel) {
  const std::size_t n = x.size();
  if (kernel.sum == Sum::pairwise) return pairwise(x, y, 0, n);
  if (kernel.sum == Sum::four_lanes) {
    F lane[4]{};
    for (std::size_t i = 0; i < n; ++i)
      lane[i % 4] = multiply_add(x[i], y[i], lane[i % 4], kernel.fused);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
  }
  F sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = kernel.sum == Sum::reversed ? n - 1 - i : i;
    sum = multiply_add(x[at], y[at], sum, kernel.fused);
  }
  return sum;
}

template <class F>
std::vector<F> row_of(const Matrix& matrix, Index row) {
  std::vector<F> values;
  for (Index i = 0; i < matrix.cols(); ++i) values.push_back(static_cast<F>(matrix(row, i)));
  return values;
}

template <class F>
F coefficient(const HeadInputs& head, Index t) {
  if (!rule_info(head.options.rule).residual) return 1;
  const double gate = head.write(t, 0);
  if (head.options.rule != Rule::kla) return static_cast<F>(gate);
  return static_cast<F>(gate / (head.k.row(t).squaredNorm() + head.options.eps));
}

// One token of one column: its coefficients in F.
template <class F>
struct Token {
  std::vector<F> alpha, k, q;  // alpha: none, one, or K
  F b, v, scale;
  bool residual;

  F decay(std::size_t i) const { return alpha.empty() ? F(1) : alpha[alpha.size() == 1 ? 0 : i]; }
};

// start - sum of x_i y_i, one after the other.
template <class F>
F chain(F start, const std::vector<F>& x, const std::vector<F>& y, bool fused) {
  for (std::size_t i = 0; i < x.size(); ++i) start = multiply_add(-x[i], y[i], start, fused);
  return start;
}

template <class F>
std::vector<F> scaled(F factor, std::vector<F> x) {
  for (F& element : x) element *= factor;
  return x;
}

template <class F>
struct ReadKey {
  F e, w;
};

// `s`, `key`: what the residual reads, with the decay in one of them or in `decay`.
template <class F>
ReadKey<F> read_key(const Token<F>& t, const std::vector<F>& s, const std::vector<F>& key, F decay,
                    const Kernel& kernel) {
  if (!t.residual) return {t.v, t.b * t.v};
  if (kernel.write == Write::b_in_chain)
    return {0, chain(t.b * t.v, scaled(t.b, key), s, kernel.fused)};
  if (kernel.write == Write::from_v) {
    const F e = chain(t.v, key, s, kernel.fused);
    return {e, t.b * e};
  }
  const F p = decay * dot(s, key, kernel), e = t.v - p;
  if (kernel.write == Write::b_distributed) return {e, t.b * t.v - t.b * p};
  return {e, t.b * e};
}

template <class F>
void write_matrix(const Token<F>& t, std::vector<F>& s, bool fused) {
  const std::vector<F> before = s;
  const std::size_t K = s.size();
  for (std::size_t i = 0; i < K; ++i) {
    const F bk = t.b * t.k[i];
    F sum = bk * t.v;
    for (std::size_t j = 0; j < K; ++j) {
      const F erased = t.residual ? bk * t.k[j] : F(0);
      sum = multiply_add((i == j ? F(1) : F(0)) - erased, before[j], sum, fused);
    }
    s[i] = sum;
  }
}

template <class F>
void write_expanded(const Token<F>& t, std::vector<F>& s, const Kernel& kernel) {
  const F p = t.residual ? dot(s, t.k, kernel) : F(0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const F bk = t.b * t.k[i];
    s[i] = multiply_add(-bk, p, multiply_add(bk, t.v, s[i], kernel.fused), kernel.fused);
  }
}

// Returns o and puts u into `write`.
template <class F>
F step(const Token<F>& t, std::vector<F>& s, const Kernel& kernel, F& write) {
  const bool in_dot = kernel.decay == DecayAt::dot && t.alpha.size() == 1 &&
                      kernel.write != Write::from_v && kernel.write != Write::b_in_chain;
  const bool on_key = kernel.decay == DecayAt::key && !t.alpha.empty() &&
                      kernel.write != Write::expanded && kernel.write != Write::matrix;
  std::vector<F> decayed = s, key = t.k;
  for (std::size_t i = 0; i < s.size(); ++i) {
    decayed[i] *= t.decay(i);
    if (on_key) key[i] *= t.decay(i);
  }
  const ReadKey<F> read =
      read_key(t, in_dot || on_key ? s : decayed, key, in_dot ? t.alpha[0] : F(1), kernel);
  write = read.w;
  const bool b_on_key =
      kernel.b_on_key && (kernel.write == Write::after_dot || kernel.write == Write::from_v);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const F x = b_on_key ? t.b * t.k[i] : t.k[i], y = b_on_key ? read.e : read.w;
    s[i] = on_key ? multiply_add(t.decay(i), s[i], x * y, kernel.fused)
                  : multiply_add(x, y, decayed[i], kernel.fused);
  }
  if (kernel.write == Write::expanded || kernel.write == Write::matrix) s = decayed;
  if (kernel.write == Write::expanded) write_expanded(t, s, kernel);
  if (kernel.write == Write::matrix) write_matrix(t, s, kernel.fused);
  if (kernel.scale_on_query) return dot(s, scaled(t.scale, t.q), kernel);
  return dot(s, t.q, kernel) * t.scale;
}

}  // namespace

template <class F>
KernelRun run_kernel(const HeadInputs& head, const Kernel& kernel) {
  KernelRun run;
  run.o.resize(head.tokens, head.V);
  run.u.resize(head.tokens, head.V);
  Matrix state = head.initial_state;
  for (Index t = 0; t < head.tokens; ++t) {
    Token<F> inputs{{},
                    row_of<F>(head.k, t),
                    row_of<F>(head.q, t),
                    coefficient<F>(head, t),
                    0,
                    static_cast<F>(head.options.scale),
                    rule_info(head.options.rule).residual};
    for (Index i = 0; i < head.g.cols(); ++i)
      inputs.alpha.push_back(static_cast<F>(std::exp(head.g(t, i))));
    for (Index c = 0; c < head.V; ++c) {
      std::vector<F> s(static_cast<std::size_t>(head.K));
      for (Index i = 0; i < head.K; ++i)
        s[static_cast<std::size_t>(i)] = static_cast<F>(state(i, c));
      F write = 0;
      inputs.v = static_cast<F>(head.v(t, c));
      run.o(t, c) = static_cast<double>(step(inputs, s, kernel, write));
      run.u(t, c) = static_cast<double>(write);
      for (Index i = 0; i < head.K; ++i)
        state(i, c) = static_cast<double>(s[static_cast<std::size_t>(i)]);
    }
    run.states.push_back(state);
  }
  return run;
}

template KernelRun run_kernel<float>(const HeadInputs&, const Kernel&);
template KernelRun run_kernel<double>(const HeadInputs&, const Kernel&);

}  // namespace deltaproof::testing
