#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "kernels/kernel.hpp"
#include "reference/arithmetic/declared.hpp"
#include "reference/verdict.hpp"

namespace deltaproof::cli {

/// What `explain` says of the failures of a report: of the first few, and within a time, for an explanation takes longer
/// than a verdict. It changes no verdict; of one that is left out a note says so, and what would explain it.
class Explanations {
 public:
  struct Limits {
    std::size_t most = 4;
    std::chrono::duration<double> time = std::chrono::seconds(60);  ///< of all together
  };

  /// Nothing is explained unless a report is written.
  explicit Explanations(const CheckArguments& arguments) : Explanations(arguments, Limits()) {}
  Explanations(const CheckArguments& arguments, Limits limits)
      : wanted_(arguments.report.has_value()), tensor_core_(arguments.tensor_core), limits_(limits) {}

  /// Whether a verdict is explained, if it is its turn: an `accuracy` that failed or does not conform, for a report.
  bool concerns(const Verdict& verdict) const;
  /// Explains it. `outputs` gives what it was judged by; `command`: what explains it later.
  void explain(const Problem& problem, const std::function<Outputs()>& outputs, const std::optional<Declared>& declared,
               const std::string& command, Verdict& verdict);

 private:
  bool wanted_;
  std::string tensor_core_;
  Limits limits_;
  std::size_t explained_ = 0;
  std::chrono::duration<double> spent_{0};
};

}  // namespace deltaproof::cli
