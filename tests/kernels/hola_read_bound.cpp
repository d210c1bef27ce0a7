#include <algorithm>
#include <cmath>

#include "tests/kernels/hola_mirror.hpp"
#include "tests/kernels/hola_queries.hpp"

namespace deltaproof {

// Every weight exp(z_j) and the sink's are off by a factor within e^D, for numerator and
// denominator alike, so that read is off by at most (e^2D - 1) sum p_j |v_j|, p the true weights.
// D, with u = 2^-24 and gamma(n) = n u / (1 - n u):
// - of the logit: x_i, s and z carry at most 60 roundings, each relative to sum |x_i k_i| f (a
// factor: a sum of 13
//   additions, halved by the root, and four operations; twice; three products; the dot 13; two
//   more);
// - of the exponents: (m - m') log2e carries three roundings (log2e itself is one). A weight's
// exponents add up to
//   less than twice the range of logits and sink;
// - of 2^x: its relative error is below 2^-21, at most twice an entry (p, and r where the maximum
// rose);
// - of the sums: three roundings an entry. And four of the division and of 1 - gamma.
BoundedRead bounded_read(const ReadInput& r) {
  const StageShape& s = r.shape;
  BoundedRead made{std::vector<double>(static_cast<std::size_t>(r.o.size())),
                   std::vector<double>(static_cast<std::size_t>(r.o.size()))};
  const double u = 0x1p-24;
  const auto gamma = [&](double n) { return n * u / (1 - n * u); };
  const auto norm = [&](const std::vector<float>& x) {
    double n = 0;
    for (const float each : x) n += double{each} * each;
    return r.read == CallRead::l2 ? 1 / std::sqrt(n + r.l2norm_eps)
                                  : 1 / std::sqrt(n / static_cast<double>(x.size()) + r.read_eps);
  };
  for_queries(r, [&](std::int64_t row, std::int64_t head, const std::vector<std::int64_t>& entries) {
    const std::vector<float> q = key_row(r, r.q, row, head);
    const double q_norm = norm(q);
    std::vector<double> logits;
    double off = 0, low = r.sink.value(head), high = low;
    for (const std::int64_t at : entries) {
      const std::vector<float> k = key_row(r, r.k, at, head);
      double z = 0, size = 0;
      for (std::int64_t i = 0; i < s.K; ++i) {
        double x =
            double{q[static_cast<std::size_t>(i)]} * q_norm * norm(k) * k[static_cast<std::size_t>(i)] * r.logit_scale;
        if (r.read == CallRead::rmsnorm) x *= r.gamma_q.value(head * s.K + i) * r.gamma_k.value(head * s.K + i);
        z += x, size += std::abs(x);
      }
      logits.push_back(z);
      off = std::max(off, gamma(60) * size);
      low = std::min(low, z), high = std::max(high, z);
    }
    const auto n = static_cast<double>(entries.size());
    const double D = off + 3 * u * 2 * (high - low + 2 * off) + 2 * n * 0x1p-21 + gamma(3 * n + 4);
    double Z = std::exp(r.sink.value(head) - high);
    for (const double z : logits) Z += std::exp(z - high);
    for (std::size_t j = 0; j < entries.size(); ++j) {
      const double p = std::exp(logits[j] - high) / Z;
      for (std::int64_t c = 0; c < s.V; ++c) {
        const auto at = static_cast<std::size_t>((row * s.HV + head) * s.V + c);
        const double v = r.v.value((entries[j] * s.HV + head) * s.V + c);
        made.cache_o[at] += p * v;
        made.bound[at] += std::expm1(2 * D) * p * std::abs(v);
      }
    }
  });
  return made;
}

}  // namespace deltaproof
