#pragma once

#include <vector>

#include "reference/oracle/coefficient_error.hpp"
#include "reference/oracle/column_step.hpp"
#include "reference/rules/inputs.hpp"

namespace deltaproof {

/// Sizes and radii of the rows of q or k as a run at some precision has them.
class RowBounds {
 public:
  RowBounds(const HeadInputs& head, const Matrix& rows, bool normalised, int bits)
      : values_(normalised ? l2_normalised<double>(rows, head.options.qk_l2norm_eps)
                           : elements<double>(rows)),
        width_(rows.cols()) {
    const double K = static_cast<double>(width_);
    double in_double = 0;
    if (normalised) {
      error_ = normalised_error(rows, head.options.qk_l2norm_eps, CoefficientArithmetic(bits));
      in_double = normalised_error(rows, head.options.qk_l2norm_eps, CoefficientArithmetic(53));
    }
    slack_ = (4 * K + 64) * 0x1p-53 + 2 * in_double;
    root_ = std::sqrt(K) * outward_factor;
  }

  static RowBounds of_queries(const HeadInputs& head, int bits) {
    const L2Norm norm = head.options.qk_l2norm;
    return {head, head.q, norm == L2Norm::q || norm == L2Norm::both, bits};
  }
  static RowBounds of_keys(const HeadInputs& head, int bits) {
    const L2Norm norm = head.options.qk_l2norm;
    return {head, head.k, norm == L2Norm::k || norm == L2Norm::both, bits};
  }

  /// Row t; h: absolute error of an operation near zero.
  certificate::Sized row(Index t, double h) const {
    const double size =
        norm_bound(values_.data() + t * width_, width_) * (1 + slack_) + outward_tiny;
    return {size, error_ == 0 ? 0 : size * error_ + h * root_};
  }

  const double* values(Index t) const { return values_.data() + t * width_; }
  double error() const { return error_; }  ///< componentwise, relative
  double slack() const { return slack_; }  ///< of the values in double

 private:
  std::vector<double> values_;
  Index width_;
  double error_ = 0, slack_ = 0, root_ = 0;
};

}  // namespace deltaproof
