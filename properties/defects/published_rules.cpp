#include "properties/defects/published_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace deltaproof {
namespace {

using enum PublishedRule;

constexpr std::string_view comparison_rejects = "rejected: no comparison with NaN is true";
constexpr std::array table = {
    PublishedRuleInfo{rms, "rms < 0.005", "rms(x - r) / (rms(r) + 1e-8) < 0.005, or max |x - r| <= 1e-6",
                      "flash-linear-attention, tests of outputs and states", comparison_rejects},
    PublishedRuleInfo{rms_loose, "rms < 0.01 or 0.3", "as before, or that ratio < 0.01, or max |x - r| <= 0.3",
                      "flash-linear-attention in continuous integration (FLA_CI_ENV)", comparison_rejects},
    PublishedRuleInfo{nmse_1e_7, "NMSE 1e-7", "not: sum (x - r)^2 / sum x^2 > 1e-7",
                      "ggml, test-backend-ops: operators without a limit of their own",
                      "rejected by a test of each value before; the ratio alone would accept it"},
    PublishedRuleInfo{nmse_5e_4, "NMSE 5e-4", "not: sum (x - r)^2 / sum x^2 > 5e-4",
                      "ggml, test-backend-ops: matrix products, flash attention", "as NMSE 1e-7"},
    PublishedRuleInfo{close_default, "close, default",
                      "|x - r| <= atol + rtol |r|; bf16 1e-5, 1.6e-2; fp16 1e-5, 1e-3; fp32 1e-5, 1.3e-6",
                      "torch.testing.assert_close without tolerances", comparison_rejects},
    PublishedRuleInfo{close_1e_2, "close 1e-2", "|x - r| <= 1e-2 + 1e-2 |r|",
                      "FlashInfer, outputs of its delta-rule kernels in bf16; vLLM and SGLang in many tests",
                      comparison_rejects},
    PublishedRuleInfo{close_2e_2, "close 2e-2", "|x - r| <= 2e-2 + 2e-2 |r|", "cuDNN front end, attention in 16 bits",
                      comparison_rejects},
    PublishedRuleInfo{twice_baseline, "2 x baseline", "max |x - r| <= 2 max |b - r| + 1e-5",
                      "FlashAttention: b is the formula computed by tensor operations in the type of the inputs",
                      comparison_rejects},
};

struct Tolerance {
  double absolute, relative;
};

Tolerance default_tolerance(Dtype input) {
  switch (input) {
    case Dtype::bf16:
      return {1e-5, 1.6e-2};
    case Dtype::f16:
      return {1e-5, 1e-3};
    case Dtype::f32:
      return {1e-5, 1.3e-6};
    case Dtype::f64:
      return {1e-7, 1e-7};
    default:
      throw std::logic_error("inputs that are no floating-point numbers");
  }
}

// Equal infinities are close, as in torch.
bool close(const JudgedValues& values, Tolerance tolerance) {
  for (std::size_t i = 0; i < values.run.size(); ++i) {
    const double x = values.run[i], r = values.reference[i];
    if (x == r) continue;
    if (!(std::abs(x - r) <= tolerance.absolute + tolerance.relative * std::abs(r)) || std::isinf(r)) return false;
  }
  return true;
}

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double e = std::abs(x[i] - y[i]);
    if (std::isnan(e)) return e;
    largest = std::max(largest, e);
  }
  return largest;
}

// The quotient is over the run under test, not over the reference. ggml holds both in float and squares in float; only
// sums are in double: a difference of at most 2^-75 has the square 0.
bool nmse_accepts(const JudgedValues& values, double limit) {
  double square = 0, size = 0;
  for (std::size_t i = 0; i < values.run.size(); ++i) {
    const auto x = static_cast<float>(values.run[i]), r = static_cast<float>(values.reference[i]);
    if (!std::isfinite(x)) return false;
    const float difference = x - r;
    square += difference * difference;
    size += x * x;
  }
  return !(square / size > limit);  // 0 / 0 passes
}

bool within_twice_baseline(const JudgedValues& values) {
  const double allowed = 2 * largest_difference(values.baseline, values.reference) + 1e-5;
  return largest_difference(values.run, values.reference) <= allowed;
}

// What torch's max and mean of no element are: an error, and NaN.
bool rms_accepts(const JudgedValues& values, bool loosely) {
  if (values.run.empty()) return false;
  const PublishedError error = published_error(values.run, values.reference);
  if (error.largest <= 1e-6 || error.relative_rms < 0.005) return true;
  return loosely && (error.relative_rms < 0.01 || error.largest <= 0.3);
}

}  // namespace

std::span<const PublishedRuleInfo> published_rules() { return table; }

PublishedError published_error(const std::vector<double>& run, const std::vector<double>& reference) {
  double square = 0, size = 0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    square += (run[i] - reference[i]) * (run[i] - reference[i]);
    size += reference[i] * reference[i];
  }
  const auto count = static_cast<double>(run.size());
  return {std::sqrt(square / count) / (std::sqrt(size / count) + 1e-8), largest_difference(run, reference)};
}

bool accepts(PublishedRule rule, const JudgedValues& values) {
  switch (rule) {
    case rms:
      return rms_accepts(values, false);
    case rms_loose:
      return rms_accepts(values, true);
    case nmse_1e_7:
      return nmse_accepts(values, 1e-7);
    case nmse_5e_4:
      return nmse_accepts(values, 5e-4);
    case close_default:
      return close(values, default_tolerance(values.input));
    case close_1e_2:
      return close(values, {1e-2, 1e-2});
    case close_2e_2:
      return close(values, {2e-2, 2e-2});
    case twice_baseline:
      return within_twice_baseline(values);
  }
  throw std::logic_error("unknown published rule");
}

}  // namespace deltaproof
