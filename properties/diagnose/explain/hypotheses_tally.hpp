#pragma once

#include <cstdint>

#include "properties/diagnose/measured.hpp"

namespace deltaproof {

/// How values of a run are from those of a hypothesis, and how from those of another.
struct Tally {
  /// Sum over values of log2 of residual / allowed, where that is above 1, at most 40: bits that a value is out of
  /// bound. A sum of residuals would be that of the few largest.
  double excess = 0;
  double squares = 0;  ///< sum of (residual / allowed)^2, each at most 1: how near values within the bound are
  std::int64_t compared = 0;
  std::int64_t outside = 0;  ///< residual above what is allowed
  std::int64_t unequal = 0;  ///< other bits
  std::uint64_t hash = 0;    ///< of the hypothesis' bits, in order

  void add(const Tally& next);
};

/// Rows [row, row + rows) of a block held against `hypothesis`, which has these rows. `slack`: added to what is allowed.
/// Two values that are both NaN, or the same infinity, agree.
Tally tally(const MeasuredBlock& block, Index row, const Matrix& hypothesis, double slack);

/// Share of the excess of `right`, the run without a defect, that a hypothesis takes away; where nothing is out of bound,
/// share of its unequal values.
double explained(const Tally& hypothesis, const Tally& right);

}  // namespace deltaproof
