#pragma once

#include <optional>
#include <vector>

#include "reference/problem/matrix.hpp"

namespace deltaproof {

/// Arithmetic of a softmax (docs/certificate.md, theorem 7).
struct SoftmaxRounding {
  double u;          ///< unit roundoff
  double exp_error;  ///< relative error of exp
};

/// Largest relative error of the weights that come from `logits` (as computed, rounded to double),
/// each of which is within `logit_radius` of the exact one; `sink` as in the rule. Infinite if it
/// cannot be bounded.
double weight_error(const std::vector<double>& logits, double logit_radius,
                    const std::optional<double>& sink, const SoftmaxRounding& rounding);

/// |computed - exact| of sum_j w_j x_j over `count` rows, where `mixed` >= sum_j w^_j |x_j| with
/// the computed weights and values, and every |x_j| <= `largest`.
double mixing_radius(double mixed, double largest, double count, double weight_error,
                     const SoftmaxRounding& rounding);

}  // namespace deltaproof
