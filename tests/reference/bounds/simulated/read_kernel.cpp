#include "tests/reference/bounds/simulated/read_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace deltaproof::simulated {
namespace {

constexpr float log2e = 1.4426950408889634f;

float at(const Rounding& r, float x) {
  if (r.mode == Rounding::Mode::exact) return x;
  return static_cast<float>(r.mode == Rounding::Mode::nearest ? round_to_nearest_even(r.format, x)
                                                              : round_towards_zero(r.format, x));
}

std::vector<Index> entries_of(const HeadInputs& head, const CacheSets& sets, Index t) {
  const Index C = head.options.hola.cache_block;
  std::vector<Index> entries = sets[static_cast<std::size_t>(t / C)];
  for (Index j = t / C * C; j <= t; ++j) entries.push_back(j);
  return entries;
}

class Run {
 public:
  Run(const ReadKernel& kernel, const HeadInputs& head, std::uint64_t seed) : f_(kernel), in_(head), random_(seed) {}

  Eigen::RowVectorXf read(Index t, std::vector<Index> entries) {
    if (f_.shuffled) {
      entries.push_back(-1);  // the sink
      std::shuffle(entries.begin(), entries.end(), random_);
    } else {
      entries.insert(entries.begin(), -1);
    }
    const std::vector<float> z = logits(t, entries);
    mean_ = 0;
    for (const Index j : entries) mean_ += j < 0 ? 0 : in_.v(j, 0) / static_cast<double>(entries.size());
    Eigen::RowVectorXf sum = Eigen::RowVectorXf::Zero(in_.V);
    float m = -INFINITY, Z = 0;
    if (f_.two_passes || f_.normalises_first) m = *std::max_element(z.begin(), z.end());
    if (f_.normalises_first) {
      for (std::size_t i = 0; i < z.size(); ++i) Z += power(z[i], m, entries[i]);
    }
    const std::size_t tile = static_cast<std::size_t>(f_.tile);
    for (std::size_t first = 0; first < z.size(); first += tile) {
      const std::size_t end = std::min(z.size(), first + tile);
      float next = m;
      for (std::size_t i = first; i < end; ++i) next = std::fmax(next, z[i]);
      const float r = first == 0 ? 0.0f : next == m ? 1.0f : power(m, next, entries[first]);
      sum = first == 0 ? sum : Eigen::RowVectorXf(sum * r);
      if (!f_.normalises_first) Z = first == 0 ? 0.0f : Z * r;
      m = next;
      for (std::size_t i = first; i < end; ++i) add(entries[i], power(z[i], m, entries[i]), sum, Z);
    }
    if (f_.normalises_first) return sum.unaryExpr([this](float x) { return at(f_.read, x); });
    return sum.unaryExpr([this, Z](float x) { return at(f_.read, x / Z); });
  }

 private:
  void add(Index j, float p, Eigen::RowVectorXf& sum, float& Z) const {
    const float weight = at(f_.weight, f_.normalises_first ? p / Z : p);
    if (!f_.normalises_first) Z += p;
    if (j < 0) return;
    for (Index c = 0; c < in_.V; ++c) {
      const float v = at(f_.value, static_cast<float>(in_.v(j, c)));
      sum(c) = f_.fused ? std::fma(weight, v, sum(c)) : sum(c) + weight * v;
    }
  }

  // e^(z - m), flushed below 2^-126.
  float power(float z, float m, Index entry) {
    const float x = f_.base_two ? z * log2e - m * log2e : (z - m) * log2e;
    double push = f_.push;
    if (f_.pushed == ReadKernel::Push::random) push *= std::uniform_real_distribution<double>(-1, 1)(random_);
    if (f_.pushed == ReadKernel::Push::spread) push *= entry >= 0 && in_.v(entry, 0) > mean_ ? 1 : -1;
    const double value = x == 0 ? 1 : std::exp2(static_cast<double>(x)) * (1 + push * 0x1p-21);
    return value < 0x1p-126 ? 0.0f : static_cast<float>(value);
  }

  float factor(const Matrix& rows, Index t) const {
    float squares = 0;
    for (Index i = 0; i < in_.K; ++i) {
      const float x = static_cast<float>(rows(t, i));
      squares = f_.fused ? std::fma(x, x, squares) : squares + x * x;
    }
    if (in_.options.hola.read == CacheRead::l2) {
      return 1.0f / std::sqrt(squares + static_cast<float>(in_.options.qk_l2norm_eps));
    }
    return 1.0f / std::sqrt(squares / static_cast<float>(in_.K) + static_cast<float>(in_.options.hola.read_eps));
  }

  Eigen::RowVectorXf row(const Matrix& rows, const Matrix& gamma, Index t, float f) const {
    Eigen::RowVectorXf x(in_.K);
    for (Index i = 0; i < in_.K; ++i) {
      x(i) = static_cast<float>(rows(t, i)) * f;
      if (in_.options.hola.read == CacheRead::rmsnorm) x(i) = at(f_.rows, x(i)) * static_cast<float>(gamma(0, i));
      x(i) = at(f_.rows, x(i));
    }
    return x;
  }

  std::vector<float> logits(Index t, const std::vector<Index>& entries) const {
    const Eigen::RowVectorXf q = row(in_.q, in_.gamma_q, t, factor(in_.q, t));
    const auto scale = static_cast<float>(in_.options.hola.tau / std::sqrt(static_cast<double>(in_.K)));
    std::vector<float> z;
    for (const Index j : entries) {
      if (j < 0) {
        z.push_back(static_cast<float>(in_.sink.value()));
        continue;
      }
      const bool after = f_.factor_after_dot && f_.rows.mode == Rounding::Mode::exact;
      const float f = factor(in_.k, j);
      const Eigen::RowVectorXf k = row(in_.k, in_.gamma_k, j, after ? 1.0f : f);
      float s = 0;
      for (Index i = 0; i < in_.K; ++i) s = f_.fused ? std::fma(q(i), k(i), s) : s + q(i) * k(i);
      z.push_back(at(f_.logit, s) * scale * (after ? f : 1.0f));
    }
    return z;
  }

  const ReadKernel& f_;
  const HeadInputs& in_;
  std::mt19937_64 random_;
  double mean_ = 0;
};

}  // namespace

Matrix run_reads(const ReadKernel& kernel, const HeadInputs& head, const CacheSets& sets, std::uint64_t seed) {
  Run run(kernel, head, seed);
  const auto gate = static_cast<float>(head.cache_gate);
  const float power = std::exp2(-gate * log2e), s = at(kernel.read, 1.0f / (1.0f + power));
  Matrix added(head.tokens, head.V);
  for (Index t = 0; t < head.tokens; ++t) {
    const Eigen::RowVectorXf read = run.read(t, entries_of(head, sets, t));
    for (Index c = 0; c < head.V; ++c) added(t, c) = static_cast<double>(at(kernel.read, s * read(c)));
  }
  return added;
}

Matrix exact_reads(const HeadInputs& head, const CacheSets& sets) {
  using Real = long double;
  const Real K = static_cast<Real>(head.K), s = 1 / (1 + std::exp(-static_cast<Real>(head.cache_gate)));
  const bool mean = head.options.hola.read == CacheRead::rmsnorm;
  const auto rows = [&](const Matrix& x, const Matrix& gamma) {
    Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> result = x.cast<Real>();
    for (Index t = 0; t < x.rows(); ++t) {
      const Real squares = result.row(t).squaredNorm();
      result.row(t) /= mean ? std::sqrt(squares / K + static_cast<Real>(head.options.hola.read_eps))
                            : std::sqrt(squares + static_cast<Real>(head.options.qk_l2norm_eps));
      if (mean) result.row(t) = result.row(t).cwiseProduct(gamma.row(0).cast<Real>()).eval();
    }
    return result;
  };
  const auto q = rows(head.q, head.gamma_q), k = rows(head.k, head.gamma_k);
  Matrix added(head.tokens, head.V);
  for (Index t = 0; t < head.tokens; ++t) {
    const std::vector<Index> entries = entries_of(head, sets, t);
    std::vector<Real> z;
    Real highest = *head.sink;
    for (const Index j : entries) {
      z.push_back(static_cast<Real>(head.options.hola.tau) * q.row(t).dot(k.row(j)) / std::sqrt(K));
      highest = std::max(highest, z.back());
    }
    Real sum = std::exp(static_cast<Real>(*head.sink) - highest);
    Eigen::Matrix<Real, 1, Eigen::Dynamic> o = Eigen::Matrix<Real, 1, Eigen::Dynamic>::Zero(head.V);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Real p = std::exp(z[i] - highest);
      sum += p;
      o += p * head.v.row(entries[i]).cast<Real>();
    }
    added.row(t) = (o * (s / sum)).cast<double>();
  }
  return added;
}

}  // namespace deltaproof::simulated
