#pragma once

#include <vector>

#include "reference/oracle/answer.hpp"
#include "reference/oracle/certificate.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof::testing {

/// Precision that stands for the exact answer: its own error is 2^-400 of what is measured with it.
inline constexpr int truth_bits = 460;

/// A run of the rule's text in MPFR, kept as it is: nothing is rounded to double.
struct Truth {
  Index tokens = 0, K = 0, V = 0;
  std::vector<Mpfr> o;                    ///< tokens x V
  std::vector<Mpfr> u;                    ///< tokens x V, update family
  std::vector<std::vector<Mpfr>> states;  ///< after each token, K x V
};

/// Must be called, and its result used, inside a WorkingPrecision(truth_bits).
Truth update_truth(const HeadInputs& head);

/// The largest |value - truth| / radius (0/0 is 0), separately for what an answer holds; infinite
/// for a NaN.
struct Ratios {
  double o = 0, state = 0, u = 0;
  bool certified = true;  ///< every radius finite
  double worst() const { return std::max({o, state, u}); }
};

double ratio(const Mpfr& error, double radius);

/// `states`: after each token (AnswerRequest::every = 1).
Ratios compare(const HeadAnswer& answer, const Truth& truth);

/// A kernel's run in some arithmetic, in double: o, u tokens x V, states after each token.
struct KernelRun {
  Matrix o, u;
  std::vector<Matrix> states;
};
Ratios compare(const KernelRun& run, const RecurrenceRadius& radius, const Truth& truth);

}  // namespace deltaproof::testing
