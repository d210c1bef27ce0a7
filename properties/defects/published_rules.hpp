#pragma once

#include <vector>

#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// How far one tensor of a run is from a reference run in double, as the tests of kernel libraries measure it.
struct PublishedError {
  double relative_rms = 0;  ///< rms(x - reference) / rms(reference)
  double largest = 0;       ///< max |x - reference|

  /// The published rules: rms below 0.005; and its looser form, rms below 0.01 or no difference above 0.3.
  bool accepted() const { return relative_rms < 0.005; }
  bool accepted_loosely() const { return relative_rms < 0.01 || largest <= 0.3; }
};

/// The right `o` and final states of a problem in double, to hold whole runs against. States in kv layout.
class PublishedRules {
 public:
  explicit PublishedRules(const Problem& problem);

  PublishedError error_of_o(const Outputs& outputs) const;
  PublishedError error_of_state(const Outputs& outputs) const;
  /// Both tensors pass.
  bool accept(const Outputs& outputs) const;
  bool accept_loosely(const Outputs& outputs) const;

 private:
  std::vector<double> o_, state_;  // as the tensors of a run
};

}  // namespace deltaproof
