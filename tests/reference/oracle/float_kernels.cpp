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

// One token of one column; returns o and puts u into `write`.
template <class F>
F token(std::vector<F>& s, const std::vector<F>& alpha, const std::vector<F>& k,
        const std::vector<F>& q, F b, F v, F scale, bool residual, const Kernel& kernel, F& write) {
  F p = 0;
  const bool scalar = alpha.size() == 1;
  if (residual && kernel.decay_in_dot && scalar) p = alpha[0] * dot(s, k, kernel);
  for (std::size_t i = 0; i < s.size() && !alpha.empty(); ++i) s[i] *= alpha[scalar ? 0 : i];
  if (residual && !(kernel.decay_in_dot && scalar)) p = dot(s, k, kernel);
  const F e = v - p;
  write = b * e;
  for (std::size_t i = 0; i < s.size(); ++i)
    s[i] = kernel.b_on_key ? multiply_add(b * k[i], e, s[i], kernel.fused)
                           : multiply_add(k[i], write, s[i], kernel.fused);
  return dot(s, q, kernel) * scale;
}

}  // namespace

template <class F>
KernelRun run_kernel(const HeadInputs& head, const Kernel& kernel) {
  KernelRun run;
  run.o.resize(head.tokens, head.V);
  run.u.resize(head.tokens, head.V);
  Matrix state = head.initial_state;
  for (Index t = 0; t < head.tokens; ++t) {
    std::vector<F> alpha;
    for (Index i = 0; i < head.g.cols(); ++i)
      alpha.push_back(static_cast<F>(std::exp(head.g(t, i))));
    const std::vector<F> k = row_of<F>(head.k, t), q = row_of<F>(head.q, t);
    for (Index c = 0; c < head.V; ++c) {
      std::vector<F> s(static_cast<std::size_t>(head.K));
      for (Index i = 0; i < head.K; ++i)
        s[static_cast<std::size_t>(i)] = static_cast<F>(state(i, c));
      F write = 0;
      run.o(t, c) = static_cast<double>(
          token(s, alpha, k, q, coefficient<F>(head, t), static_cast<F>(head.v(t, c)),
                static_cast<F>(head.options.scale), rule_info(head.options.rule).residual, kernel,
                write));
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
