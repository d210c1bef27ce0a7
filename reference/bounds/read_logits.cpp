#include "reference/bounds/read_logits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/bounds/chunk_input.hpp"

namespace deltaproof {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

// Reciprocal root of one row, and its relative error in a kernel together with the product x f.
struct RowFactor {
  double factor, error;
};

RowFactor row_factor(const RowVector& x, const HeadInputs& head, const ReadFormats& f) {
  const double K = static_cast<double>(x.size());
  const bool mean = head.options.hola.read == CacheRead::rmsnorm;
  const double squares = x.squaredNorm();
  const double sum = squares + (mean ? K * head.options.hola.read_eps : head.options.qk_l2norm_eps);
  const double factor = 1 / std::sqrt(mean ? sum / K : sum);
  const double flushed = (3 * K + 2) * f.smallest / sum;
  if (!(squares < f.largest) || !(flushed < 0.25) || !std::isfinite(factor)) return {factor, unknown};
  return {factor, normalise_error(x.size()) * (f.u / u32) + flushed};
}

}  // namespace

ReadRows read_rows_of(const Matrix& x, const Matrix& gamma, const HeadInputs& head, const ReadFormats& f,
                      int roundings) {
  const double later = std::pow(1 + f.u, roundings);
  ReadRows rows{Matrix(x.rows(), x.cols()), Matrix(x.rows(), x.cols()), Vector(x.rows()), Vector(x.rows())};
  for (Index t = 0; t < x.rows(); ++t) {
    const RowFactor r = row_factor(x.row(t), head, f);
    rows.factor(t) = r.factor;
    const RowVector unit = r.factor * x.row(t);
    rows.one_norm(t) = unit.lpNorm<1>();
    Matrix held = (1 + r.error) * unit.cwiseAbs();
    rows.exact.row(t) = unit;
    if (gamma.size() != 0) {
      held += f.rows.error(held);
      held = held.cwiseProduct(gamma.cwiseAbs()).eval();
      rows.exact.row(t) = unit.cwiseProduct(gamma.row(0));
    }
    held *= later;
    held += f.rows.error(held);
    if (!held.allFinite() || !(held.maxCoeff() < f.largest)) held.setConstant(unknown);
    rows.held.row(t) = held;
  }
  return rows;
}

BlockLogits block_logits(const ReadRows& q, const ReadRows& k, double scale, double largest_factor,
                         const ReadFormats& f) {
  const double K = static_cast<double>(q.exact.cols());
  const double size = std::abs(scale);
  BlockLogits logits;
  logits.z.noalias() = scale * q.exact * k.exact.transpose();
  const Matrix products = size * (q.exact.cwiseAbs() * k.exact.cwiseAbs().transpose());
  Matrix held = size * (q.held * k.held.transpose());
  // f_j and the scale may follow the dot: what is summed is larger then.
  const auto before = (k.factor.array().min(1.0) * (std::min(1.0, size) * f.largest)).matrix().transpose().eval();
  for (Index j = 0; j < held.cols(); ++j) {
    for (Index i = 0; i < held.rows(); ++i) {
      if (!(held(i, j) < before(j))) held(i, j) = unknown;
    }
  }
  const double sums = (1 + gamma_n(K, f.u)) * (1 + f.over_K.relative) - 1 + f.shift_error;
  // Then what double leaves in z and in this difference.
  Matrix& h = logits.radius = (held - products) + (sums + (4 * K + 64) * 0x1p-53) * held;
  const double floor = f.over_K.floor * size * std::max({1.0, q.held.maxCoeff(), k.held.maxCoeff()});
  const double each = f.smallest * largest_factor;
  const Vector of_q = 5 * each * q.one_norm;
  const Vector of_k = each * (5 * k.one_norm + (2 * K + 4) * k.factor.cwiseMax(1.0));
  h.colwise() += of_q;
  h.rowwise() += of_k.transpose();
  h.array() += std::isfinite(floor) && f.over_K.floor > 0 ? floor : 0;
  if (f.logit.mode != Rounding::Mode::exact && size > 0) {
    h += size * f.logit.error(Matrix((logits.z.cwiseAbs() + h) / size));
  }
  h = h.unaryExpr([](double x) { return std::isnan(x) ? unknown : x; });
  return logits;
}

}  // namespace deltaproof
