#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "reference/problem/matrix.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof::golden {

/// Softmax attention of one query, one entry after the other: sums of exp(z - m) and exp(z - m) v for the largest logit
/// m so far, rescaled when there is a larger one (Milakov and Gimelshein 2018, 'Online normalizer calculation'). m is
/// a double near the logit, which cancels.
class Streaming {
 public:
  /// `sink`: a logit whose value is zero.
  Streaming(Index width, const std::optional<double>& sink) : sums_(static_cast<std::size_t>(width), Interval(0)) {
    if (!sink) return;
    shift_ = *sink;
    total_ = Interval(1);
    empty_ = false;
  }

  /// `value`: `width` numbers.
  void add(const Interval& logit, const Interval* value) {
    using std::exp;
    empty_ = false;
    if (to_double(logit) > shift_) rescale(to_double(logit));
    const Interval share = exp(logit - Interval(shift_));
    total_ += share;
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] += share * value[c];
  }

  /// The weight of a logit that was added, once all are.
  Interval weight(const Interval& logit) const {
    using std::exp;
    return exp(logit - Interval(shift_)) / total_;
  }
  /// Column c of the weighted sum; zero if nothing was added. Of logits that no double is near nothing is known.
  Interval value(std::size_t c) const { return empty_ ? Interval(0) : Interval(sums_[c] / total_); }

 private:
  void rescale(double shift) {
    using std::exp;
    const bool first = shift_ == -std::numeric_limits<double>::infinity();
    const Interval factor = first ? Interval(0) : Interval(exp(Interval(shift_) - Interval(shift)));
    total_ *= factor;
    for (Interval& sum : sums_) sum *= factor;
    shift_ = shift;
  }

  bool empty_ = true;
  double shift_ = -std::numeric_limits<double>::infinity();
  Interval total_ = Interval(0);
  std::vector<Interval> sums_;
};

}  // namespace deltaproof::golden
