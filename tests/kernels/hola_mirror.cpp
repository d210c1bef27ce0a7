#include "tests/kernels/hola_mirror.hpp"

#include <array>
#include <cmath>
#include <functional>

#include "reference/approximations.hpp"
#include "reference/problem/format.hpp"

namespace deltaproof {
namespace {

constexpr float log2e = 1.4426950408889634f;
using Lanes = std::array<float, 32>;

float halves(Lanes lanes) {
  for (std::size_t distance = 16; distance > 0; distance /= 2) {
    const Lanes before = lanes;
    for (std::size_t l = 0; l < 32; ++l) lanes[l] = before[l] + before[l ^ distance];
  }
  return lanes[0];
}

// x . y by a warp.
float warp_dot(const std::vector<float>& x, const std::vector<float>& y) {
  Lanes lanes{};
  for (std::size_t i = 0; i < x.size(); ++i) lanes[i % 32] = std::fma(x[i], y[i], lanes[i % 32]);
  return halves(lanes);
}

float coefficient(const ScoresInput& s, float w, float n) {
  switch (s.coefficient) {
    case Coefficient::one: return 1;
    case Coefficient::given: return w;
    case Coefficient::kaczmarz: return w / (n + s.eps);
    case Coefficient::key_norm_only: return 1.0f / (n + s.eps);
    case Coefficient::learned_scalar: return w / std::fma(s.c, n, s.eps);
    case Coefficient::longhorn: break;
  }
  return w / std::fma(w, n, 1.0f);
}

// Where the tokens of a batch of rows or of packed sequences lie.
struct Token {
  std::int64_t first, t, first_block;  ///< first row of its sequence, index in it, row of its first block
};

std::vector<Token> tokens_of(const StageShape& s, std::int64_t C) {
  std::vector<Token> tokens;
  std::int64_t first = 0, block = 0;
  const std::vector<std::int64_t> rows(static_cast<std::size_t>(s.B), s.T);
  for (const std::int64_t length : s.lengths.empty() ? rows : s.lengths) {
    for (std::int64_t t = 0; t < length; ++t) tokens.push_back({first, t, block});
    first += length, block += (length + C - 1) / C;
  }
  return tokens;
}

// Calls f(row, head, entries): rows of what the query sees, in the kernel's order.
void for_queries(const ReadInput& r,
                 const std::function<void(std::int64_t, std::int64_t, const std::vector<std::int64_t>&)>& f) {
  const StageShape& s = r.shape;
  const std::vector<Token> tokens = tokens_of(s, r.C);
  for (std::int64_t row = 0; row < static_cast<std::int64_t>(tokens.size()); ++row) {
    const Token& at = tokens[static_cast<std::size_t>(row)];
    const std::int64_t block = at.t / r.C;
    for (std::int64_t head = 0; head < s.HV; ++head) {
      std::vector<std::int64_t> entries;
      for (std::int64_t i = 0; i < r.w; ++i) {
        const std::int32_t token =
            r.selected[static_cast<std::size_t>(((at.first_block + block) * s.HV + head) * r.w + i)];
        if (token >= 0) entries.push_back(at.first + token);
      }
      for (std::int64_t t = block * r.C; r.read_block && t <= at.t; ++t) entries.push_back(at.first + t);
      f(row, head, entries);
    }
  }
}

struct Rows {
  std::vector<float> q, k, v;
};

std::vector<float> key_row(const ReadInput& r, const Tensor& tensor, std::int64_t row, std::int64_t head) {
  return floats_of_row(tensor, row * r.shape.H + head / (r.shape.HV / r.shape.H), r.shape.K);
}

std::vector<float> scaled_query(const ReadInput& r, std::int64_t row, std::int64_t head) {
  std::vector<float> x = key_row(r, r.q, row, head);
  const float factor = mirrored_factor(x, r.read, r.read_eps, r.l2norm_eps);
  for (std::int64_t i = 0; i < r.shape.K; ++i) {
    float& each = x[static_cast<std::size_t>(i)];
    each = each * factor;
    if (r.read == CallRead::rmsnorm) {
      each = each * static_cast<float>(r.gamma_q.value(head * r.shape.K + i));
      each = each * static_cast<float>(r.gamma_k.value(head * r.shape.K + i));
    }
    each = each * r.logit_scale;
  }
  return x;
}

}  // namespace

std::vector<float> floats_of_row(const Tensor& tensor, std::int64_t row, std::int64_t size) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < size; ++i) values.push_back(static_cast<float>(tensor.value(row * size + i)));
  return values;
}

float mirrored_square_sum(const std::vector<float>& row) { return warp_dot(row, row); }

float mirrored_factor(const std::vector<float>& row, CallRead read, float read_eps, float l2norm_eps) {
  const float n = mirrored_square_sum(row);
  if (read == CallRead::l2) return 1.0f / std::sqrt(n + l2norm_eps);
  return 1.0f / std::sqrt(n / static_cast<float>(row.size()) + read_eps);
}

std::vector<float> mirrored_scores(const ScoresInput& s) {
  const StageShape& d = s.shape;
  const std::vector<Token> tokens = tokens_of(d, 1);
  std::vector<float> scores;
  for (std::int64_t item = 0; item < static_cast<std::int64_t>(tokens.size()) * d.HV; ++item) {
    if (s.score == CallScore::recency) {
      scores.push_back(static_cast<float>(tokens[static_cast<std::size_t>(item / d.HV)].t));
      continue;
    }
    float written = 0;
    if (!s.u.empty()) {
      const auto first = s.u.begin() + item * d.V;
      written = std::sqrt(mirrored_square_sum({first, first + d.V}));
    }
    if (s.score == CallScore::beta_e || s.score == CallScore::e) {
      scores.push_back(written);
      continue;
    }
    const std::int64_t key = item / d.HV * d.H + item % d.HV / (d.HV / d.H);
    const float n = mirrored_square_sum(floats_of_row(s.k, key, d.K));
    float length = std::sqrt(n);
    if (s.normalise_k) length = length * (1.0f / std::sqrt(n + s.l2norm_eps));
    if (s.score == CallScore::write_norm) {
      scores.push_back(written * length);
      continue;
    }
    const float w = s.write.shape.empty() ? 1.0f : static_cast<float>(s.write.value(item));
    const float b = coefficient(s, w, length * length);
    scores.push_back(std::fabs(b) * std::sqrt(mirrored_square_sum(floats_of_row(s.v, item, d.V))));
  }
  return scores;
}

ReadOutput mirrored_read(const ReadInput& r) {
  const StageShape& s = r.shape;
  ReadOutput made{r.o, std::vector<float>(static_cast<std::size_t>(r.o.size())), {}};
  std::vector<double> o = r.o.values();
  for (std::int64_t row = 0; row < s.B * s.T * s.H; ++row) {
    made.key_factors.push_back(mirrored_factor(floats_of_row(r.k, row, s.K), r.read, r.read_eps, r.l2norm_eps));
  }
  for_queries(r, [&](std::int64_t row, std::int64_t head, const std::vector<std::int64_t>& entries) {
    const std::vector<float> x = scaled_query(r, row, head);
    float m = static_cast<float>(r.sink.value(head)), Z = 1;
    std::vector<float> sum(static_cast<std::size_t>(s.V));
    for (const std::int64_t at : entries) {
      const std::vector<float> k = key_row(r, r.k, at, head), v = floats_of_row(r.v, at * s.HV + head, s.V);
      const float z = warp_dot(x, k) * mirrored_factor(k, r.read, r.read_eps, r.l2norm_eps), top = std::fmax(m, z);
      const float decay = ex2_approx((m - top) * log2e), p = ex2_approx((z - top) * log2e);
      Z = std::fma(Z, decay, p);
      for (std::size_t c = 0; c < sum.size(); ++c) sum[c] = std::fma(sum[c], decay, p * v[c]);
      m = top;
    }
    const float open = 1.0f / (1.0f + ex2_approx(-static_cast<float>(r.gate.value(head)) * log2e));
    for (std::size_t c = 0; c < sum.size(); ++c) {
      const auto at = static_cast<std::size_t>((row * s.HV + head) * s.V) + c;
      made.cache_o[at] = sum[c] / Z;
      if (open != 0) o[at] = static_cast<double>(std::fma(open, made.cache_o[at], static_cast<float>(o[at])));
    }
  });
  made.o = Tensor::from(r.o.dtype, r.o.shape, o);
  return made;
}

// Every weight exp(z_j) and the sink's are off by a factor within e^D, for numerator and denominator alike, so that
// read is off by at most (e^2D - 1) sum p_j |v_j|, p the true weights. D, with u = 2^-24 and gamma(n) = n u / (1 - n u):
// - of the logit: x_i, s and z carry at most 60 roundings, each relative to sum |x_i k_i| f (a factor: a sum of 13
//   additions, halved by the root, and four operations; twice; three products; the dot 13; two more);
// - of the exponents: (m - m') log2e carries three roundings (log2e itself is one). A weight's exponents add up to
//   less than twice the range of logits and sink;
// - of 2^x: its relative error is below 2^-21, at most twice an entry (p, and r where the maximum rose);
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
        double x = double{q[static_cast<std::size_t>(i)]} * q_norm * norm(k) * k[static_cast<std::size_t>(i)] * r.logit_scale;
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
