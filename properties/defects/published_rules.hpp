#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// Rules by which the tests of kernel libraries accept a run (docs/kill-matrix.md, 2: whose each is, its exact form,
/// and what it says of NaN and of nothing).
enum class PublishedRule {
  rms,             ///< relative rms error below 0.005, or no difference above 1e-6
  rms_loose,       ///< that, or below 0.01, or no difference above 0.3
  nmse_1e_7,       ///< sum (x - r)^2 / sum x^2 not above 1e-7
  nmse_5e_4,       ///< not above 5e-4
  close_default,   ///< |x - r| <= atol + rtol |r| everywhere, at the defaults for the type of the inputs
  close_1e_2,      ///< atol = rtol = 1e-2
  close_2e_2,      ///< atol = rtol = 2e-2
  twice_baseline,  ///< largest difference at most twice that of a run in the precision of the inputs, plus 1e-5
};

struct PublishedRuleInfo {
  PublishedRule rule;
  std::string_view name;  ///< "rms < 0.005"
  std::string_view form;  ///< what is computed; x: the run, r: the reference
  std::string_view used_by;
  std::string_view nan;  ///< what becomes of a NaN
};
/// In the order of the enumeration.
std::span<const PublishedRuleInfo> published_rules();

/// The values of one tensor that are judged, beside the right ones, in the same order.
struct JudgedValues {
  std::vector<double> run, reference;
  std::vector<double> baseline;  ///< of twice_baseline
  Dtype input = Dtype::bf16;     ///< type of q, k and v, which chooses the default tolerances
};

bool accepts(PublishedRule rule, const JudgedValues& values);

/// How far one tensor of a run is from its reference.
struct PublishedError {
  double relative_rms = 0;  ///< rms(x - r) / (rms(r) + 1e-8)
  double largest = 0;       ///< max |x - r|; NaN if any is
};
PublishedError published_error(const std::vector<double>& run, const std::vector<double>& reference);

/// The right `o` and final states of a problem in double, and those of the baseline, to hold whole runs against:
/// packed sequences, pools and both layouts of states. Rows that belong to no sequence, and sequences that
/// state_indices skips, are left out. Rules of the update family.
class PublishedRules {
 public:
  explicit PublishedRules(const Problem& problem);

  PublishedError error_of_o(const Outputs& outputs) const;
  PublishedError error_of_state(const Outputs& outputs) const;
  /// Both tensors pass. A tensor without values to judge (no token) is left out.
  bool accept(PublishedRule rule, const Outputs& outputs) const;

 private:
  struct Reference {
    std::vector<std::int64_t> at;  // places in the tensor of a run
    std::vector<double> right, baseline;

    std::vector<double> values_of(const Tensor& tensor) const;
  };

  Dtype input_;
  Reference o_, state_;
};

}  // namespace deltaproof
