#include "reference/bounds/score_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/bounds/chunk_input.hpp"
#include "reference/rules/inputs.hpp"

namespace deltaproof {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr double evaluation = 1 + 0x1p-20;  // what double loses, as in head_bound.cpp

// A positive number that a kernel computes: at most `size`, off by at most `error`.
struct Measured {
  double size = 0, error = 0;
};

// |x|_2 of n elements (docs/read-bound.md, Theorem 2): of the exact x at most `size` and at least `least`; the kernel's
// x is within `error` of it in norm.
Measured norm(double least, double size, double error, Index n, const ScoreFormats& f) {
  const double held = size + error;
  if (!(held * held < f.largest)) return {size, unknown};
  const double gamma = gamma_n(static_cast<double>(n), f.u);
  const double relative = f.root_error + (gamma / 2 + gamma * gamma / 2) * (1 + f.root_error);
  const double flushed = (2 * static_cast<double>(n) + 1) * f.smallest;
  double lost = std::sqrt(flushed);
  if (least - error > 0) lost = std::min(lost, 1.01 * flushed / (least - error));
  return {size, error + relative * held + (1 + f.root_error) * lost};
}

// A product, rounded once.
Measured product(const Measured& x, const Measured& y, const ScoreFormats& f) {
  const double held = (x.size + x.error) * (y.size + y.error);
  if (!(held < f.largest)) return {x.size * y.size, unknown};
  return {x.size * y.size, x.error * (y.size + y.error) + x.size * y.error + f.u * held + f.smallest};
}

class Scores {
 public:
  Scores(const HeadInputs& head, const ScoreFormats& formats, const Format& input)
      : head_(head), f_(formats), state_(head.state_part()) {
    const L2Norm rows = head.options.qk_l2norm;
    normalised_ = rows == L2Norm::k || rows == L2Norm::both;
    if (!normalised_) return;
    key_error_ = normalise_error(head.K) * (f_.u / u32);
    if (f_.unit_keys_in_16_bits && !head.normalised_in_fp32) key_error_ += unit_roundoff(input);
  }

  Matrix of_written(const Matrix& u, const Matrix& u_radius, const Matrix& u_error) const {
    Matrix bound(head_.tokens, 1);
    const bool times_key = head_.options.hola.score == CacheScore::write_norm;
    const Matrix keys = times_key ? exact_keys() : Matrix();
    for (Index t = 0; t < head_.tokens; ++t) {
      const double radius = u_radius.size() == 0 ? 0 : u_radius.row(t).norm();
      const double middle = u.row(t).norm();
      Measured m = norm(middle - radius, middle + radius, u_error.row(t).norm(), head_.V, f_);
      if (times_key) m = product(m, key(keys, t), f_);
      bound(t, 0) = stored(m);
    }
    return bound;
  }

  Matrix of_values() const {
    const ChunkInput in = chunk_input(state_, Matrix::Zero(head_.K, head_.V), {});
    const double b_error = in.b_error_with(key_error_) * (f_.u / u32);
    Matrix bound(head_.tokens, 1);
    for (Index t = 0; t < head_.tokens; ++t) {
      const double v = head_.v.row(t).norm(), b = std::abs(in.b(t, 0));
      bound(t, 0) = stored(product({b, b == 0 ? 0 : b_error * b}, norm(v, v, 0, head_.V, f_), f_));
    }
    return bound;
  }

  Matrix of_recency() const {
    Matrix bound(head_.tokens, 1);
    for (Index t = 0; t < head_.tokens; ++t) {
      const double place =
          static_cast<double>(head_.first_position - 1 + t);  // in its sequence, of which this may be a part
      bound(t, 0) = stored({place, place * f_.u <= 1 ? 0 : place * f_.u});
    }
    return bound;
  }

 private:
  Matrix exact_keys() const {
    const std::vector<double> k = keys<double>(state_);
    return Eigen::Map<const Matrix>(k.data(), head_.tokens, head_.K);
  }

  // |k| as it is written with: of the rows handed in, or of those that the kernel normalises, measured before or after.
  Measured key(const Matrix& keys, Index t) const {
    const double size = keys.row(t).norm();
    const double error = normalised_                   ? key_error_ * size
                         : head_.k_error.size() == 0 ? 0
                                                       : head_.k_error.row(t).norm();
    Measured m = norm(size, size, error, head_.K, f_);
    if (!normalised_) return m;
    const double raw = head_.k.row(t).norm();
    const double factor = 1 / std::sqrt(raw * raw + head_.options.qk_l2norm_eps);
    const Measured before = norm(raw, raw, 0, head_.K, f_);
    m.error =
        std::max(m.error, before.error * factor * (1 + key_error_) + key_error_ * size) + 2 * f_.u * size + f_.smallest;
    return m;
  }

  double stored(const Measured& m) const {
    const double error = m.error + f_.stored.error(m.size + m.error);
    return std::isfinite(error) ? error * evaluation : unknown;
  }

  const HeadInputs& head_;
  const ScoreFormats& f_;
  HeadInputs state_;
  bool normalised_ = false;
  double key_error_ = 0;
};

}  // namespace

ScoreFormats score_formats(std::string_view arithmetic, const Format& stored) {
  ScoreFormats f;
  if (arithmetic == "fp64") {
    f = {.u = 0x1p-53, .root_error = 0x1p-53, .smallest = 0x1p-1022, .largest = 0x1p1000, .unit_keys_in_16_bits = false};
  } else if (arithmetic.starts_with("deltaproof-")) {
    f.unit_keys_in_16_bits = false;
  } else {
    f.root_error = 4 * u32;  // an approximate root, or one of a reciprocal
  }
  if (arithmetic == "fp64" || stored.significant_bits < formats::f32.significant_bits) f.stored = nearest(stored);
  return f;
}

WrittenBound needed_for(CacheScore score) {
  switch (score) {
    case CacheScore::beta_e:
    case CacheScore::write_norm:
      return WrittenBound::written;
    case CacheScore::e:
      return WrittenBound::residual;
    case CacheScore::beta_v:
    case CacheScore::recency:
    case CacheScore::attention:
      return WrittenBound::none;
  }
  return WrittenBound::none;
}

Matrix score_bound(const HeadInputs& hola_head, const Matrix& u, const Matrix& u_radius, const Matrix& u_error,
                   const ScoreFormats& formats, const Format& input) {
  const Scores scores(hola_head, formats, input);
  switch (hola_head.options.hola.score) {
    case CacheScore::beta_e:
    case CacheScore::write_norm:
    case CacheScore::e:
      return scores.of_written(u, u_radius, u_error);
    case CacheScore::beta_v:
      return scores.of_values();
    case CacheScore::recency:
      return scores.of_recency();
    case CacheScore::attention:
      break;
  }
  return Matrix::Constant(hola_head.tokens, 1, unknown);
}

}  // namespace deltaproof
