#include "reference/bounds/read_weights.hpp"

#include <algorithm>
#include <cmath>

namespace deltaproof {
namespace {

// How often the running maximum may rise while query i reads.
double rises(const BlockLogits& logits, Index i, Index cached, double sink, const ReadFormats& f) {
  const Index visible = cached + i + 1;
  if (!f.built_in_order) return static_cast<double>(visible) + 1;
  Index count = 0;
  double base = sink;  // the maximum is at least this; the cache's own order is not known
  const auto may_rise = [&](Index j, double above) { return !(logits.z(i, j) + logits.radius(i, j) <= above); };
  for (Index j = 0; j < visible; ++j) {
    if (may_rise(j, j < cached ? sink : base)) ++count;
    base = std::max(base, logits.z(i, j) - logits.radius(i, j));
  }
  return static_cast<double>(count);
}

// Largest error of the exponents of one query's weights.
struct Exponents {
  double upper;  // of the kernel's maximum
  double u, common;

  double error(double z, double h) const { return h + 3.5 * u * (upper - z + h) + common; }
};

class RowWeights {
 public:
  RowWeights(ReadWeights& weights, Index i, double highest) : w_(weights), i_(i), highest_(highest) {}

  void add(Index j, double z, double H) {
    w_.exact(i_, j) = std::exp(z - highest_);
    w_.largest(i_, j) = std::exp(z - highest_ + H);
    w_.error(i_, j) = error(z, H);
    sum_ += w_.exact(i_, j);
    least_ += std::exp(z - highest_ - H);
  }

  void finish(double sink, double H) {
    sum_ += std::exp(sink - highest_);
    least_ += std::exp(sink - highest_ - H);
    w_.exact.row(i_) /= sum_;
    w_.largest.row(i_) /= least_;
    w_.error.row(i_) /= least_;
    w_.sink_error(i_) = error(sink, H) / least_;
  }

 private:
  // e^z (e^H - 1), also where either factor leaves the range of double.
  double error(double z, double H) const {
    const double weight = std::exp(z - highest_);
    return H < 1 ? weight * std::expm1(H) : std::exp(z - highest_ + H) - weight;
  }

  ReadWeights& w_;
  Index i_;
  double highest_, sum_ = 0, least_ = 0;
};

}  // namespace

ReadWeights read_weights(const BlockLogits& logits, Index cached, double sink, const ReadFormats& f) {
  const Index count = logits.z.rows(), entries = logits.z.cols();
  const Matrix none = Matrix::Zero(count, entries);
  ReadWeights weights{none, none, none, Vector::Zero(count)};
  for (Index i = 0; i < count; ++i) {
    const Index visible = cached + i + 1;
    double highest = sink, upper = sink, size = std::abs(sink);
    for (Index j = 0; j < visible; ++j) {
      const double above = logits.z(i, j) + logits.radius(i, j);
      highest = std::max(highest, logits.z(i, j));
      upper = std::max(upper, above);
      size = std::max(size, std::abs(above));
    }
    const double times = rises(logits, i, cached, sink, f) + 1;  // exponentials in one weight
    const Exponents exponents{upper, f.u, times * (2 * f.shift_error * size - std::log1p(-f.exp_error))};
    RowWeights row(weights, i, highest);
    for (Index j = 0; j < visible; ++j) row.add(j, logits.z(i, j), exponents.error(logits.z(i, j), logits.radius(i, j)));
    row.finish(sink, exponents.error(sink, (f.u + f.shift_error) * std::abs(sink)));
  }
  return weights;
}

}  // namespace deltaproof
