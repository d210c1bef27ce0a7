#include "reference/oracle/softmax_radius.hpp"

#include <algorithm>
#include <cmath>

#include "reference/oracle/outward.hpp"

namespace deltaproof {

double weight_error(const std::vector<double>& logits, double logit_radius,
                    const std::optional<double>& sink, const SoftmaxRounding& rounding) {
  double highest = sink ? *sink : -infinity, lowest = sink ? *sink : infinity;
  for (const double z : logits) {
    if (!std::isfinite(z)) return infinity;
    highest = std::max(highest, z);
    lowest = std::min(lowest, z);
  }
  // The shift is a double near the highest logit, so that the sum of exponentials is at least 1/2.
  if (!(std::abs(highest) < 0x1p50)) return infinity;
  const double spread =
      (highest - lowest) * outward_factor + std::abs(highest) * 0x1p-52 + outward_tiny;
  const double exponent = outward(logit_radius + rounding.u * spread);
  if (!(exponent < 0.25)) return infinity;
  const double exponential = std::expm1(exponent) * outward_factor;
  const double delta = exponential + rounding.exp_error * (1 + exponential);
  const double n = static_cast<double>(logits.size()) + 1;
  const double sum = delta + gamma_bound(n, rounding.u) * (1 + delta);  // relative error of the sum
  if (!(sum < 0.25)) return infinity;
  // (1 + delta)(1 + u) / (1 - sum) - 1
  return outward((delta + sum + rounding.u * (1 + delta)) / (1 - sum));
}

double mixing_radius(double mixed, double largest, double count, double weight_error,
                     const SoftmaxRounding& rounding) {
  if (!(weight_error < 0.5)) return infinity;
  const double summed = gamma_bound(count + 1, rounding.u);
  const double relative = weight_error / (1 - weight_error) + summed;
  // Underflow: at most 4 absolute errors of 2^-1074 in a weight, one in a product.
  const double underflow = 16 * count * (largest + 1) * outward_tiny;
  return outward(mixed * relative + underflow);
}

}  // namespace deltaproof
