#include "tests/kernels/hola_mirror.hpp"

#include <array>
#include <cmath>

#include "reference/approximations.hpp"
#include "tests/kernels/hola_queries.hpp"

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

float mirrored_square_sum(const std::vector<float>& row) { return warp_dot(row, row); }

float mirrored_factor(const std::vector<float>& row, CallRead read, float read_eps, float l2norm_eps) {
  const float n = mirrored_square_sum(row);
  if (read == CallRead::l2) return 1.0f / std::sqrt(n + l2norm_eps);
  return 1.0f / std::sqrt(n / static_cast<float>(row.size()) + read_eps);
}

std::vector<float> mirrored_scores(const ScoresInput& s) {
  const StageShape& d = s.shape;
  const std::vector<StageToken> tokens = stage_tokens(d, 1);
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
      scores.push_back(length == 0 ? 0 : written * length);
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

}  // namespace deltaproof
