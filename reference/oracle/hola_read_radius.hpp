#pragma once

#include <vector>

#include "reference/oracle/captured.hpp"
#include "reference/oracle/column_step.hpp"
#include "reference/oracle/softmax_radius.hpp"
#include "reference/rules/cache_read.hpp"

namespace deltaproof {

/// Certificate of the reads of one block (docs/certificate.md, theorem 10).
class ReadCertificate {
 public:
  ReadCertificate(const HeadInputs& head, int bits);

  /// Takes the rows that the block's queries read.
  template <class R>
  void enter(const BlockView<R>& view) {
    values_ = rows_of(*v_, view.tokens).cwiseAbs();
    largest_value_ = values_.colwise().maxCoeff();
    queries_.clear();
    keys_.clear();
    cached_ = view.cached;
    for (Index i = 0; i < view.count; ++i) queries_.push_back(row(view.q.data() + i * K_, query_error_));
    certificate::Sized largest{0, 0};
    for (std::size_t j = 0; j < view.tokens.size(); ++j) {
      const certificate::Sized key = row(view.k.data() + static_cast<Index>(j) * K_, key_error_);
      largest = {std::max(largest.size, key.size), std::max(largest.radius, key.radius)};
      keys_.push_back(largest);
    }
  }

  /// Bound of the relative error of query i's weights, from its logits as computed.
  double weight_error_of(Index i, const std::vector<double>& logits) const;

  /// Radii of o_cache of query i (V values). `weights`: as computed, rounded upwards.
  void read_radius(const Vector& weights, double weight_error, double* radius) const;

 private:
  /// Componentwise relative error of rows, and what one of their elements may lose to underflow.
  struct RowError {
    double relative, absolute;
  };

  RowError row_error(const HeadInputs& head, const Matrix& rows, const Matrix& gamma, int bits) const;
  certificate::Sized sized(double norm, const RowError& error) const;

  template <class R>
  certificate::Sized row(const R* x, const RowError& error) const {
    if constexpr (std::is_same_v<R, double>) return sized(norm_bound(x, K_), error);
    Vector sizes(K_);
    for (Index i = 0; i < K_; ++i) sizes[i] = size_bound(x[i]);
    return sized(norm_bound(sizes.data(), K_), error);
  }

  const Matrix* v_;
  Index K_;
  std::optional<double> sink_;
  SoftmaxRounding rounding_;
  certificate::Constants c_;
  RowError query_error_, key_error_;
  Matrix values_;  ///< |v| of the entries
  RowVector largest_value_;
  std::vector<certificate::Sized> queries_, keys_;  ///< keys: the largest up to each entry
  Index cached_ = 0;
};

/// sigmoid(gate) in double with a bound of its error at `bits`.
certificate::Sized sigmoid_bound(double gate, int bits);

}  // namespace deltaproof
